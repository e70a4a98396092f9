package signer

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const hook = "https://shop.example/hooks/ramp"

// verifySigned signs a webhook and verifies it. It signs with the API key, because the test data does not contain the
// private key of the service.
func verifySigned(t *testing.T, added, query string) error {
	t.Helper()
	keys := readVectors(t).Keys
	signer, err := NewAPISigner("demo-partner", keys.APIPrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := NewWebhookVerifier(hook, keys.APIPublicKey)
	if err != nil {
		t.Fatal(err)
	}
	address, err := parseAddress(hook + "?" + query)
	if err != nil {
		t.Fatal(err)
	}
	headers := map[string]string{"x-fp-timestamp": "1767225600", "x-fp-nonce": "482910", "x-fp-extra": added}
	text, err := requestText(http.MethodPost, address, headers, address.Query())
	if err != nil {
		t.Fatal(err)
	}
	signature, err := signer.signature(text)
	if err != nil {
		t.Fatal(err)
	}
	headers["x-fp-signature"] = signature
	_, err = verifier.Verify(headerOf(headers), query, time.Unix(1767225600, 0))
	return err
}

func TestAmbiguousWebhooks(t *testing.T) {
	if err := verifySigned(t, "1", "tenant=eu1"); err != nil {
		t.Errorf("a webhook with an added header was refused: %v", err)
	}
	cases := map[string]struct{ added, query string }{
		"a space in a header":                   {added: "1 1"},
		"a comma in a header":                   {added: "1,1"},
		"a character outside ASCII in a header": {added: "ä"},
		"a tab in a header":                     {added: "1\t1"},
		"a query parameter named like a header": {added: "1", query: "x-fp-other=1"},
		"the same in upper case":                {added: "1", query: "X-FP-NONCE=1"},
	}
	for name, c := range cases {
		if err := verifySigned(t, c.added, c.query); err == nil {
			t.Errorf("a webhook with %s was accepted", name)
		}
	}
}

// These texts cannot be signed with this code, so their signatures are wrong too. Only the error message shows that
// the webhook was refused because of its text.
func TestMalformedWebhooks(t *testing.T) {
	verifier, err := NewWebhookVerifier(hook, readVectors(t).Keys.APIPublicKey)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ header, query, words string }{
		"a name outside ASCII":                  {"X-Fp-Extra", "%C3%A9=1", "outside ASCII"},
		"malformed percent-encoding":            {"X-Fp-Extra", "a=%zz", "percent-encode"},
		"percent-encoding that is not UTF-8":    {"X-Fp-Extra", "a=%ED%A0%80", "percent-encode"},
		"two parameters without a name":         {"X-Fp-Extra", "=1&=2", "occurs twice"},
		"an underscore in the name of a header": {"X-Fp-Ex_tra", "", "letters, digits and -"},
	}
	for name, c := range cases {
		header := headerOf(map[string]string{
			"X-Fp-Timestamp": "1767225600", "X-Fp-Nonce": "482910", "X-Fp-Signature": "AAAA", c.header: "1",
		})
		_, err := verifier.Verify(header, c.query, time.Unix(1767225600, 0))
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("a webhook with %s was not refused for it: %v", name, err)
		}
	}
}
