package encoding

// DictionaryScope says where a shared dictionary belongs.
type DictionaryScope uint8

// The scopes. 1 is not given out.
const (
	ScopeStripe   DictionaryScope = 0
	ScopeFile     DictionaryScope = 2
	ScopeExternal DictionaryScope = 3
)
