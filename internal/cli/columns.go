package cli

// splitColumns cuts texts at their commas, those in names and keys in quotes
// excepted: "a,b",c and m['x,y'].z are two names each. A quote begins what is quoted
// only where a name or a key does; it is doubled within, and stays in the name.
func splitColumns(texts []string) []string {
	var names []string
	for _, text := range texts {
		begin, quote := 0, byte(0)
		for i := range len(text) {
			switch c := text[i]; {
			case quote != 0:
				if c == quote {
					quote = 0 // a doubled one begins anew at once
				}
			case c == '"' && (i == begin || text[i-1] == '.' || text[i-1] == '"'),
				c == '\'' && i > begin && (text[i-1] == '[' || text[i-1] == '\''):
				quote = c
			case c == ',':
				names = append(names, text[begin:i])
				begin = i + 1
			}
		}
		names = append(names, text[begin:])
	}
	return names
}
