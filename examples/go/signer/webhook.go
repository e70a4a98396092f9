package signer

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const webhookTolerance = 300 * time.Second

var (
	timestampForm = regexp.MustCompile(`^[0-9]{10}$`)
	nonceForm     = regexp.MustCompile(`^[0-9]{1,10}$`)
	headerName    = regexp.MustCompile(`^[a-z0-9-]+$`)
	headerForm    = regexp.MustCompile(`^[!-%'-+\--<>-~]*$`)
)

// WebhookVerifier verifies webhooks with WebhookPublicKey. The signature does not cover the body. Use a verified
// webhook only as a signal to read the order list, and never deliver on the basis of the body.
type WebhookVerifier struct {
	address *url.URL
	key     *rsa.PublicKey
}

// NewWebhookVerifier creates a verifier for the URL that is registered with the service. The verifier does not use
// the host of a request, because a proxy may change the host, and any caller can choose it.
func NewWebhookVerifier(address, publicKey string) (*WebhookVerifier, error) {
	parsed, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	key, err := parsePublicKey(publicKey)
	if err != nil {
		return nil, err
	}
	return &WebhookVerifier{address: parsed, key: key}, nil
}

// Verify returns the SHA-256 of the accepted text. Store this digest for more than 600 seconds. If the digest is
// already stored, the webhook is a replay: respond with 200 and do nothing else. An error means that the webhook
// cannot be trusted, or that the clock or the configuration is wrong: respond with 401, and log the error.
func (v *WebhookVerifier) Verify(header http.Header, rawQuery string, now time.Time) (string, error) {
	signed, signature, err := webhookHeaders(header)
	if err != nil {
		return "", err
	}
	query, err := parseQuery(rawQuery)
	if err != nil {
		return "", err
	}
	for name := range query {
		if strings.HasPrefix(strings.ToLower(name), "x-fp-") {
			return "", fmt.Errorf("the query parameter %q has the name of a header", name)
		}
	}
	text, err := requestText(http.MethodPost, v.address, signed, query)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(text))
	if err := v.checkSignature(sum[:], signature); err != nil {
		return "", err
	}
	if err := checkFreshness(signed, now); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum[:]), nil
}

// webhookHeaders returns all X-Fp headers, because the service would also sign headers that it adds in the future.
func webhookHeaders(header http.Header) (signed map[string]string, signature string, err error) {
	signed = make(map[string]string)
	for name, values := range header {
		name = strings.ToLower(name)
		if !strings.HasPrefix(name, "x-fp-") {
			continue
		}
		if _, ok := signed[name]; ok || len(values) != 1 {
			return nil, "", fmt.Errorf("the header %s occurs twice", name)
		}
		if !headerName.MatchString(name) {
			return nil, "", errors.New("an X-Fp header has a name with other characters than letters, digits and -")
		}
		// Proxies join a repeated header with a comma, which headerForm refuses. The signature is base64 and is checked
		// elsewhere.
		if name != "x-fp-signature" && !headerForm.MatchString(values[0]) {
			return nil, "", fmt.Errorf("the header %s contains a character that cannot be signed", name)
		}
		signed[name] = values[0]
	}
	signature = signed["x-fp-signature"]
	delete(signed, "x-fp-signature")
	return signed, signature, nil
}

// checkSignature verifies the signature, and accepts only its standard base64 text. Go's decoder skips line breaks, so
// the decoded signature is encoded again and compared.
func (v *WebhookVerifier) checkSignature(sum []byte, signature string) error {
	raw, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || len(raw) == 0 || base64.StdEncoding.EncodeToString(raw) != signature {
		return errors.New("X-Fp-Signature is missing or not standard base64")
	}
	if rsa.VerifyPKCS1v15(v.key, crypto.SHA256, sum, raw) != nil {
		return errors.New("X-Fp-Signature does not match: check WebhookPublicKey, and that the configured address is " +
			"the one the service calls")
	}
	return nil
}

func checkFreshness(signed map[string]string, now time.Time) error {
	timestamp := signed["x-fp-timestamp"]
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || !timestampForm.MatchString(timestamp) {
		return errors.New("X-Fp-Timestamp is missing or not a Unix time in seconds")
	}
	tolerance := int64(webhookTolerance / time.Second)
	if age := now.Unix() - seconds; age > tolerance || age < -tolerance {
		return errors.New("X-Fp-Timestamp is more than 300 seconds from this clock: check that the clock is set by NTP")
	}
	if !nonceForm.MatchString(signed["x-fp-nonce"]) {
		return errors.New("X-Fp-Nonce is missing or not a number of one to ten digits")
	}
	return nil
}
