package signer

import (
	"net/http"
	"testing"
	"time"
)

const hook = "https://shop.example/hooks/ramp"

// verifySigned verifies a webhook with a valid signature. It is signed with the API key, because the test data has no
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
		"a query parameter named like a header": {added: "1", query: "x-fp-other=1"},
		"the same in upper case":                {added: "1", query: "X-FP-NONCE=1"},
	}
	for name, c := range cases {
		if err := verifySigned(t, c.added, c.query); err == nil {
			t.Errorf("a webhook with %s was accepted", name)
		}
	}
}
