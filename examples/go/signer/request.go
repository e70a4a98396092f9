package signer

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// requestText returns the signed text of a partner API request or a webhook: method, host, path, ? and the joined
// items, one directly after the other. The names of the headers must be in lower case.
func requestText(method string, address *url.URL, headers map[string]string, query url.Values) (string, error) {
	items := make(map[string]string, len(headers)+len(query))
	for name, value := range headers {
		items[name] = value
	}
	for name, values := range query {
		if _, ok := items[name]; ok || len(values) != 1 {
			return "", fmt.Errorf("the query parameter %q occurs twice or has the name of a signed header: "+
				"send it once", name)
		}
		items[name] = values[0]
	}
	joined, err := joinItems(items)
	if err != nil {
		return "", err
	}
	path := address.EscapedPath()
	if path == "" {
		path = "/"
	}
	return strings.ToUpper(method) + hostOf(address) + path + "?" + joined, nil
}

// hostOf returns the host as an HTTP client sends it: in lower case, and without the default port of the scheme.
func hostOf(address *url.URL) string {
	host := strings.ToLower(address.Host)
	switch strings.ToLower(address.Scheme) {
	case "https":
		return strings.TrimSuffix(host, ":443")
	case "http":
		return strings.TrimSuffix(host, ":80")
	}
	return host
}

// parseAddress parses a URL. Its error does not contain the URL, because the query may contain personal data.
func parseAddress(address string) (*url.URL, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return nil, errors.New("the address is not an absolute URL: write it with scheme and host")
	}
	return parsed, nil
}

func parseQuery(query string) (url.Values, error) {
	values, err := url.ParseQuery(query)
	if err != nil || !isUTF8(values) {
		return nil, errors.New("the query is malformed: percent-encode the UTF-8 bytes of its values")
	}
	return values, nil
}

// isUTF8 reports whether all names and values are valid UTF-8. Invalid bytes are ambiguous, because some languages
// refuse them and others replace them.
func isUTF8(query url.Values) bool {
	for name, values := range query {
		if !utf8.ValidString(name + strings.Join(values, "")) {
			return false
		}
	}
	return true
}
