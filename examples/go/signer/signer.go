package signer

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// WidgetSigner signs the parameters of a widget URL with the partner's SecretKey. Keep it on the server.
type WidgetSigner struct {
	partnerID string
	secretKey string
}

// NewWidgetSigner creates a signer from the SecretKey, exactly as issued: it is not decoded.
func NewWidgetSigner(partnerID, secretKey string) (*WidgetSigner, error) {
	if !codeForm.MatchString(partnerID) {
		return nil, errors.New("the partner ID is missing or malformed: copy it from your onboarding data")
	}
	if secretKey == "" || strings.TrimSpace(secretKey) != secretKey {
		return nil, errors.New("the SecretKey is empty or has white space around it: set it exactly as issued")
	}
	return &WidgetSigner{partnerID: partnerID, secretKey: secretKey}, nil
}

// Sign signs one opening of a checkout at the current time. params are the signed parameters of the widget, from your
// own data. extraSigned are parameters that your service signs although they are not in the tables of
// docs/parameters.md, or nil.
//
// It returns every signed parameter and the signature. The values are not encoded, because the page encodes each
// value once.
func (s *WidgetSigner) Sign(widget Widget, params, extraSigned map[string]string) (map[string]string, error) {
	if err := widget.check(params); err != nil {
		return nil, err
	}
	nonce, err := newNonce()
	if err != nil {
		return nil, err
	}
	signed := map[string]string{
		"partnerId": s.partnerID,
		"timestamp": strconv.FormatInt(time.Now().Unix(), 10),
		"nonce":     nonce,
	}
	for name, value := range params {
		if value != "" {
			signed[name] = value
		}
	}
	for name, value := range extraSigned {
		if widget.signs(name) {
			return nil, fmt.Errorf("%q is a documented parameter: pass it in params", name)
		}
		if err := checkValue(name, value); err != nil {
			return nil, err
		}
		if name != "" && value != "" {
			signed[name] = value
		}
	}
	text, err := widgetText(signed)
	if err != nil {
		return nil, err
	}
	signed["signature"] = widgetSignature(text, s.secretKey)
	return signed, nil
}

// String keeps the SecretKey out of logs.
func (s *WidgetSigner) String() string {
	return "WidgetSigner of " + s.partnerID
}

// GoString keeps the SecretKey out of logs that use %#v.
func (s *WidgetSigner) GoString() string {
	return s.String()
}

// widgetText returns the signed text of a widget URL. Only ext is encoded before it is signed.
func widgetText(params map[string]string) (string, error) {
	items := make(map[string]string, len(params))
	for name, value := range params {
		items[name] = value
	}
	ext, err := EncodeComponent(items["ext"])
	if err != nil {
		return "", fmt.Errorf("ext: %w", err)
	}
	items["ext"] = ext
	return joinItems(items)
}

// widgetSignature returns HMAC-SHA-256 of the text in base64. The 32 raw bytes are encoded, not their hexadecimal
// form.
func widgetSignature(text, secretKey string) string {
	mac := hmac.New(sha256.New, []byte(secretKey))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// URL returns the complete URL, for links and redirects of the server. The components do not need it: they build the
// URL from the response of the backend.
//
// signed is the result of Sign. unsigned is, for example, amount of the on-ramp widget, or windowOpen in a frame.
func URL(widgetURL string, widget Widget, signed, unsigned map[string]string) (string, error) {
	pairs := make([]string, 0, len(signed)+len(unsigned))
	add := func(items map[string]string) error {
		for name, value := range items {
			if name == "" || value == "" {
				continue
			}
			// url.Values.Encode would encode ext differently from the signed text.
			encodedName, err := EncodeComponent(name)
			if err != nil {
				return fmt.Errorf("the name of a parameter: %w", err)
			}
			encoded, err := EncodeComponent(value)
			if err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
			pairs = append(pairs, encodedName+"="+encoded)
		}
		return nil
	}
	for name := range unsigned {
		// A signed parameter must not be sent unsigned: the service would include it in the text that it signs, so the
		// signature would not match.
		if _, ok := signed[name]; ok || widget.signs(name) {
			return "", fmt.Errorf("%q is a signed parameter of %s: sign it, or omit it", name, widget)
		}
	}
	if err := add(signed); err != nil {
		return "", err
	}
	if err := add(unsigned); err != nil {
		return "", err
	}
	sort.Strings(pairs)
	return strings.TrimRight(widgetURL, "/") + "/home?" + strings.Join(pairs, "&"), nil
}
