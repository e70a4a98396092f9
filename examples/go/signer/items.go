// Package signer creates and verifies the signatures of the ramp service: the widget URL (HMAC), requests to the
// partner API (RSA) and webhooks (RSA). It needs only the standard library. Its errors name the invalid item and never
// contain a value, so that they can be logged.
package signer

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unlike encodeURIComponent, QueryEscape encodes a space as +, and also encodes ! ' ( ) and *. This replacer undoes
// that.
var likeEncodeURIComponent = strings.NewReplacer(
	"+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*",
)

// EncodeComponent encodes like JavaScript's encodeURIComponent. The service encodes ext in this way before it signs,
// and a page encodes every value of the URL in this way.
func EncodeComponent(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", errors.New("a text to be encoded is not valid UTF-8: convert it to UTF-8 first")
	}
	return likeEncodeURIComponent.Replace(url.QueryEscape(text)), nil
}

// joinItems writes items as name=value, sorted by name in ASCII order and joined with &. Items without a name or a
// value are omitted.
//
// Names outside ASCII are refused, because languages sort them differently. Values are joined unescaped, so a value
// with & or = could be read as further items under the same signature. Such a value is refused, not changed.
func joinItems(items map[string]string) (string, error) {
	names := make([]string, 0, len(items))
	for name, value := range items {
		if name == "" || value == "" {
			continue
		}
		if !isASCII(name) {
			return "", fmt.Errorf("the name %q has a character outside ASCII: rename it", name)
		}
		if strings.ContainsAny(name+value, "&=") {
			return "", fmt.Errorf("the item %q contains & or =, which cannot be signed: use A-Z a-z 0-9 . _ -", name)
		}
		names = append(names, name)
	}
	sort.Strings(names)
	pairs := make([]string, len(names))
	for i, name := range names {
		pairs[i] = name + "=" + items[name]
	}
	return strings.Join(pairs, "&"), nil
}

func isASCII(name string) bool {
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// newNonce returns a random integer of six digits.
func newNonce() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(900_000))
	if err != nil {
		return "", fmt.Errorf("create a nonce: %w", err)
	}
	return strconv.FormatInt(n.Int64()+100_000, 10), nil
}
