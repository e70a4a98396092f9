// Package signer creates and verifies the three signatures of docs/signing.md: the widget URL, requests to the partner
// API, and webhooks.
package signer

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

var (
	ascii         = regexp.MustCompile(`^[\x00-\x7F]*$`)
	headerName    = regexp.MustCompile(`^x-fp-[a-z0-9-]+$`)
	headerValue   = regexp.MustCompile(`^[!-%'-+\--<>-~]*$`)
	timestampForm = regexp.MustCompile(`^[0-9]{10}$`)
	nonceForm     = regexp.MustCompile(`^[0-9]{1,10}$`)
	// QueryEscape encodes a space as +, and more characters than JavaScript's encodeURIComponent.
	likeEncodeURIComponent = strings.NewReplacer(
		"+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")
)

// joinItems writes items as name=value, sorted by name, without empty ones. Values are joined unescaped, so one with &
// or = could be read as further items. It is refused, not changed.
func joinItems(items map[string]string) (string, error) {
	var names, pairs []string
	for name, value := range items {
		if name == "" || value == "" {
			continue
		}
		if !ascii.MatchString(name) || strings.ContainsAny(name+value, "&=") {
			return "", fmt.Errorf("the item %q has &, = or a name outside ASCII", name)
		}
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		pairs = append(pairs, name+"="+items[name])
	}
	return strings.Join(pairs, "&"), nil
}

// stamp returns the items that every signature needs anew: the time, and a random number of six digits.
func stamp() (timestamp, nonce string, err error) {
	n, err := rand.Int(rand.Reader, big.NewInt(900_000))
	if err != nil {
		return "", "", err
	}
	return strconv.FormatInt(time.Now().Unix(), 10), strconv.FormatInt(n.Int64()+100_000, 10), nil
}

// WidgetText returns the signed text of a widget URL. The service encodes ext before it signs.
func WidgetText(params map[string]string) (string, error) {
	items := map[string]string{}
	for name, value := range params {
		items[name] = value
	}
	items["ext"] = likeEncodeURIComponent.Replace(url.QueryEscape(items["ext"]))
	return joinItems(items)
}

// WidgetSignature returns HMAC-SHA-256 in base64. The 32 raw bytes are encoded, not their hexadecimal form.
func WidgetSignature(text, secretKey string) string {
	mac := hmac.New(sha256.New, []byte(secretKey))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// SignWidget signs one opening of a checkout now. The values stay plain: the page encodes each of them once.
func SignWidget(params map[string]string, partnerID, secretKey string) (map[string]string, error) {
	timestamp, nonce, err := stamp()
	if err != nil {
		return nil, err
	}
	signed := map[string]string{"partnerId": partnerID, "timestamp": timestamp, "nonce": nonce}
	for name, value := range params {
		if value != "" {
			signed[name] = value
		}
	}
	text, err := WidgetText(signed)
	if err != nil {
		return nil, err
	}
	signed["signature"] = WidgetSignature(text, secretKey)
	return signed, nil
}

// RequestText returns the signed text of a request or a webhook: method, host, path, ? and the joined items. It refuses
// a query that two parsers could read differently, or could take for a header.
func RequestText(method, address string, headers map[string]string, rawQuery string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return "", err
	}
	items := map[string]string{}
	for name, value := range headers {
		items[name] = value
	}
	for name, values := range query {
		isText := utf8.ValidString(name + values[0])
		if !isText || len(values) != 1 || strings.HasPrefix(strings.ToLower(name), "x-fp-") {
			return "", errors.New("the query is malformed, has a name twice, or has the name of a header")
		}
		items[name] = values[0]
	}
	joined, err := joinItems(items)
	port := map[string]string{"http": ":80", "https": ":443"}[parsed.Scheme]
	host := strings.TrimSuffix(strings.ToLower(parsed.Host), port)
	return method + host + parsed.EscapedPath() + "?" + joined, err
}

// APIHeader returns the headers of one GET request to exactly this URL. A retry needs new ones.
func APIHeader(address, partnerID, privateKey string) (http.Header, error) {
	timestamp, nonce, err := stamp()
	if err != nil {
		return nil, err
	}
	signed := map[string]string{
		"x-fp-version": "v1.0", "x-fp-timestamp": timestamp, "x-fp-nonce": nonce, "x-fp-partner-id": partnerID,
	}
	_, query, _ := strings.Cut(address, "?")
	text, err := RequestText(http.MethodGet, address, signed, query)
	if err != nil {
		return nil, err
	}
	signature, err := RSASignature(text, privateKey)
	header := http.Header{"Content-Type": {"application/json"}, "X-Fp-Signature": {signature}}
	for name, value := range signed {
		header.Set(name, value)
	}
	return header, err
}

// RSASignature returns RSASSA-PKCS1-v1_5 with SHA-256, in base64.
func RSASignature(text, privateKey string) (string, error) {
	var parsed any
	block, _ := pem.Decode([]byte(privateKey))
	if block != nil {
		parsed, _ = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return "", errors.New("APIPrivateKey is not an RSA key in PEM (PKCS#8)")
	}
	sum := sha256.Sum256([]byte(text))
	raw, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	return base64.StdEncoding.EncodeToString(raw), err
}

// VerifyWebhook returns the SHA-256 of the accepted text. Store it for more than 600 seconds, to recognize a replay.
// address is the URL that is registered with the service: the sender chooses the host of a request. The signature
// does not cover the body.
func VerifyWebhook(address, publicKey string, header http.Header, rawQuery string, now time.Time) (string, error) {
	signed := map[string]string{}
	for name, values := range header {
		name = strings.ToLower(name)
		if !strings.HasPrefix(name, "x-fp-") {
			continue
		}
		// The service signs all of them, even one that it adds in the future. A comma joins a repeated header.
		isPlain := name == "x-fp-signature" || headerValue.MatchString(values[0])
		if signed[name] != "" || len(values) != 1 || !headerName.MatchString(name) || !isPlain {
			return "", fmt.Errorf("the header %q occurs twice, or has a character that cannot be signed", name)
		}
		signed[name] = values[0]
	}
	signature := signed["x-fp-signature"]
	delete(signed, "x-fp-signature")
	text, err := RequestText(http.MethodPost, address, signed, rawQuery)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(text))
	if !isRSASignature(sum[:], signature, publicKey) {
		return "", errors.New("X-Fp-Signature does not match: check WebhookPublicKey and RAMP_WEBHOOK_URL")
	}
	seconds, _ := strconv.ParseInt(signed["x-fp-timestamp"], 10, 64)
	age := now.Unix() - seconds
	if !timestampForm.MatchString(signed["x-fp-timestamp"]) || age > 300 || age < -300 {
		return "", errors.New("X-Fp-Timestamp is not within 300 seconds of this clock: is it set by NTP?")
	}
	if !nonceForm.MatchString(signed["x-fp-nonce"]) {
		return "", errors.New("X-Fp-Nonce is missing or not a number of one to ten digits")
	}
	return hex.EncodeToString(sum[:]), nil
}

// isRSASignature accepts only the standard base64 text, so that a replay cannot look like a new webhook.
func isRSASignature(sum []byte, signature, publicKey string) bool {
	raw, err := base64.StdEncoding.DecodeString(signature)
	block, _ := pem.Decode([]byte(publicKey))
	if err != nil || base64.StdEncoding.EncodeToString(raw) != signature || block == nil {
		return false
	}
	parsed, _ := x509.ParsePKIXPublicKey(block.Bytes)
	key, ok := parsed.(*rsa.PublicKey)
	return ok && rsa.VerifyPKCS1v15(key, crypto.SHA256, sum, raw) == nil
}
