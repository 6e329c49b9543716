package fn

import (
	"net/url"
	"strconv"
	"strings"
)

// links is the family of functions of URLs. What is none has no parts, and
// functions that cut a part off leave it as it is.
var links = []Function{
	{Name: "urlprotocol", Rows: linkText(func(l link) string { return l.scheme })},
	{Name: "urldomain", Rows: linkText(func(l link) string { return l.host })},
	{Name: "urldomainwithoutwww", Rows: linkText(func(l link) string { return strings.TrimPrefix(l.host, "www.") })},
	{Name: "urltopleveldomain", Rows: linkText(func(l link) string { return l.host[strings.LastIndexByte(l.host, '.')+1:] })},
	{Name: "urlfirstsignificantsubdomain", Rows: linkText(func(l link) string { s, _, _ := strings.Cut(l.significant(), "."); return s })},
	{Name: "cuttofirstsignificantsubdomain", Rows: linkText(link.significant)},
	{Name: "cuttofirstsignificantsubdomainwithwww", Rows: linkText(func(l link) string {
		if strings.HasPrefix(l.host, "www.") {
			return "www." + l.significant()
		}
		return l.significant()
	})},
	{Name: "urlport", Rows: takes(Int, rows(func(r *Row) error { r.I = parseLink(string(r.Text(0))).port(); return nil }), String)},
	{Name: "urlpath", Rows: linkText(func(l link) string { return unescaped(l.pathIn()) })},
	{Name: "urlpathwithquery", Rows: linkText(link.pathIn)},
	{Name: "urlquerystring", Rows: linkText(func(l link) string { return l.query })},
	{Name: "urlfragment", Rows: linkText(func(l link) string { return unescaped(l.fragment) })},
	{Name: "urlquerystringandfragment", Rows: linkText(func(l link) string {
		both := unescaped(l.query)
		if l.query != "" && l.fragment != "" {
			both += "#"
		}
		return both + unescaped(l.fragment)
	})},
	{Name: "urlnetloc", Rows: linkText(func(l link) string { return l.authority })},
	{Name: "extracturlparameter", Rows: takes(String, rows(extractParameter), String, String)},
	{Name: "extracturlparameters", Rows: linkList(func(l link, add func(string) bool) {
		if l.hasQuery {
			for p := range strings.SplitSeq(unescaped(l.query), "&") {
				add(p)
			}
		}
	})},
	{Name: "extracturlparameternames", Rows: linkList(func(l link, add func(string) bool) {
		if l.hasQuery {
			for p := range strings.SplitSeq(unescaped(l.query), "&") {
				name, _, _ := strings.Cut(p, "=")
				add(name)
			}
		}
	})},
	{Name: "urlhierarchy", Rows: linkList(func(l link, add func(string) bool) {
		if l.scheme != "" && l.host != "" && l.path != "/" {
			root := l.scheme + "://" + l.host
			add(root)
			pathPrefixes(l.path, func(p string) bool { return add(root + p) })
		}
	})},
	{Name: "urlpathhierarchy", Rows: linkList(func(l link, add func(string) bool) { pathPrefixes(l.path, add) })},
	{Name: "cutwww", Rows: linkCut(func(s string) string { return strings.Replace(shown(s), "://www.", "://", 1) })},
	{Name: "cutfragment", Rows: linkCut(func(s string) string { s, _, _ = strings.Cut(shown(s), "#"); return s })},
	{Name: "cutquerystring", Rows: linkCut(func(s string) string { return cutQuery(shown(s)) })},
	{Name: "cutquerystringandfragment", Rows: linkCut(func(s string) string { s, _, _ = strings.Cut(cutQuery(shown(s)), "#"); return s })},
	{Name: "cuturlparameter", Rows: takes(String, rows(cutParameters), String, String)},
	{Name: "cuturlparameters", Rows: takes(String, rows(cutParameters), String, StringArray)},
	{Name: "encodeurl", Rows: linkCut(encodeForm)},
	{Name: "urlencode", Rows: linkCut(encodeForm)},
	{Name: "urlencodeformcomponent", Rows: linkCut(encodeForm)},
	{Name: "decodeurl", Rows: takes(String, rows(func(r *Row) error {
		text, err := url.QueryUnescape(string(r.Text(0)))
		if err != nil {
			return badValue("%v", err)
		}
		r.Out = append(r.Out, text...)
		return nil
	}), String)},
	{Name: "urldecode", Rows: takes(String, rows(decodeOrNull), String)},
	{Name: "urldecodeformcomponent", Rows: takes(String, rows(decodeOrNull), String)},
}

// link is a URL in parts, as they are written.
type link struct {
	scheme, authority, host, path, query, fragment string
	hasQuery                                       bool
}

// parseLink gives no parts to what holds blanks or characters that no URL has.
func parseLink(text string) link {
	var l link
	if strings.ContainsAny(text, " <>\"{}|\\^`\t\n\r") {
		return l
	}
	rest, fragment, _ := strings.Cut(text, "#")
	l.fragment = fragment
	if i := strings.IndexByte(rest, ':'); i > 0 && !strings.ContainsAny(rest[:i], "/?") {
		l.scheme, rest = rest[:i], rest[i+1:]
		if !strings.HasPrefix(rest, "/") { // opaque, as mailto:
			return link{scheme: l.scheme, fragment: l.fragment}
		}
	}
	rest, l.query, l.hasQuery = strings.Cut(rest, "?")
	if !strings.HasPrefix(rest, "//") {
		l.path = rest
		return l
	}
	l.authority = rest[2:]
	if i := strings.IndexByte(l.authority, '/'); i >= 0 {
		l.authority, l.path = l.authority[:i], l.authority[i:]
	}
	l.host = l.authority[strings.LastIndexByte(l.authority, '@')+1:]
	if i := strings.LastIndexByte(l.host, ':'); i > strings.LastIndexByte(l.host, ']') {
		l.host = l.host[:i]
	}
	return l
}

func (l link) port() int64 {
	i := strings.LastIndexByte(l.authority, ':')
	if i <= strings.LastIndexAny(l.authority, "@]") {
		return -1
	}
	port, err := strconv.Atoi(l.authority[i+1:])
	if err != nil || port > 0xffff {
		return -1
	}
	return int64(port)
}

// pathIn is the path of a URL that has a scheme.
func (l link) pathIn() string {
	if l.scheme == "" {
		return ""
	}
	return l.path
}

// significant is the host from the label on that stands before the suffix under
// which names are registered: a short label before the last belongs to it.
func (l link) significant() string {
	labels := strings.Split(l.host, ".")
	n := 2
	if len(labels) > 2 && len(labels[len(labels)-2]) <= 3 {
		n = 3
	}
	return strings.Join(labels[max(0, len(labels)-n):], ".")
}

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// shown writes characters beyond ASCII as they are.
func shown(text string) string {
	if isASCII([]byte(unescaped(text))) {
		return text
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if b, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil && b >= 0x80 {
				out = append(out, byte(b))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return string(out)
}

func linkText(part func(link) string) Resolver {
	return takes(String, rows(func(r *Row) error {
		r.Out = append(r.Out, part(parseLink(string(r.Text(0))))...)
		return nil
	}), String)
}

func linkList(parts func(l link, add func(string) bool)) Resolver {
	return takes(StringArray, rows(func(r *Row) error {
		parts(parseLink(string(r.Text(0))), func(s string) bool {
			addText(r, s)
			return !r.Full()
		})
		return nil
	}), String)
}

func linkCut(cut func(string) string) Resolver {
	return takes(String, rows(func(r *Row) error {
		r.Out = append(r.Out, cut(string(r.Text(0)))...)
		return nil
	}), String)
}

// pathPrefixes calls add for each folder of a path until it returns false.
func pathPrefixes(path string, add func(string) bool) {
	path = strings.TrimSuffix(path, "/")
	for i := 1; i <= len(path); i++ {
		if (i == len(path) || path[i] == '/') && !add(path[:i]) {
			return
		}
	}
}

func cutQuery(s string) string {
	begin := strings.IndexByte(s, '?')
	if begin < 0 {
		return s
	}
	if end := strings.IndexByte(s[begin:], '#'); end >= 0 {
		return s[:begin] + s[begin+end:]
	}
	return s[:begin]
}

func extractParameter(r *Row) error {
	name := string(r.Text(1))
	for p := range strings.SplitSeq(unescaped(parseLink(string(r.Text(0))).query), "&") {
		if key, value, _ := strings.Cut(p, "="); key == name && p != "" {
			r.Out = append(r.Out, value...)
			return nil
		}
	}
	return nil
}

// cutParameters cuts off the parameters of one name, or of several.
func cutParameters(r *Row) error {
	text := shown(string(r.Text(0)))
	begin := strings.IndexByte(text, '?')
	if begin < 0 {
		r.Out = append(r.Out, text...)
		return nil
	}
	query, fragment, hasFragment := strings.Cut(text[begin+1:], "#")
	var kept []string
	cut := false
next:
	for p := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(p, "=")
		for i := range r.texts(1) {
			if name == string(r.textOf(1, i)) {
				cut = true
				continue next
			}
		}
		kept = append(kept, p)
	}
	if !cut {
		r.Out = append(r.Out, text...)
		return nil
	}
	r.Out = append(r.Out, text[:begin]...)
	if len(kept) > 0 {
		r.Out = append(append(r.Out, '?'), strings.Join(kept, "&")...)
	}
	if hasFragment {
		r.Out = append(append(r.Out, '#'), fragment...)
	}
	return nil
}

// encodeForm leaves letters, digits and .-*_ as they are; a blank is a plus.
func encodeForm(s string) string {
	return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(s))
}

func decodeOrNull(r *Row) error {
	text, err := url.QueryUnescape(string(r.Text(0)))
	r.Out, r.Null = append(r.Out, text...), err != nil
	return nil
}
