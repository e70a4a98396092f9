package signer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

type vectors struct {
	Keys struct{ APIPrivateKey, APIPublicKey, WebhookPublicKey string }
	Ext  []struct{ Value, Encoded string }

	Widget []struct {
		Widget                 Widget
		SecretKey              string
		Params, UnsignedParams map[string]string
		Text, Signature, Query string
	}
	API []struct {
		Method, URL     string
		Headers         map[string]string
		Text, Signature string
	}
	Webhook []struct {
		Method, URL string
		Headers     map[string]string
		Text        string
		Valid       bool
	}
	SignedBody []struct{ Name string }
}

// readVectors reads SIGNING_VECTORS. A relative path starts at the folder of the module, one above this package.
func readVectors(t *testing.T) vectors {
	t.Helper()
	path := os.Getenv("SIGNING_VECTORS")
	if path == "" {
		path = "../../docs/signing-vectors.json"
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join("..", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: set SIGNING_VECTORS to the path of signing-vectors.json", err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Ext) == 0 || len(v.Widget) == 0 || len(v.API) == 0 || len(v.Webhook) == 0 {
		t.Fatalf("%s has no test data", path)
	}
	return v
}

func same(t *testing.T, what string, want, got interface{}) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s\nwant %v\ngot  %v", what, want, got)
	}
}

func headerOf(values map[string]string) http.Header {
	header := http.Header{}
	for name, value := range values {
		header.Set(name, value)
	}
	return header
}

func TestExtVectors(t *testing.T) {
	for _, entry := range readVectors(t).Ext {
		encoded, err := EncodeComponent(entry.Value)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "encoded", entry.Encoded, encoded)
	}
}

func TestWidgetVectors(t *testing.T) {
	for i, entry := range readVectors(t).Widget {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			text, err := widgetText(entry.Params)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "text", entry.Text, text)
			signature := widgetSignature(text, entry.SecretKey)
			same(t, "signature", entry.Signature, signature)
			entry.Params["signature"] = signature
			address, err := URL("https://pay.example", entry.Widget, entry.Params, entry.UnsignedParams)
			if err != nil {
				t.Fatal(err)
			}
			// The order of parameters in a URL does not matter, so compare sorted queries.
			want, got := strings.Split(entry.Query, "&"), strings.Split(strings.SplitN(address, "?", 2)[1], "&")
			sort.Strings(want)
			sort.Strings(got)
			same(t, "query", want, got)
		})
	}
}

func TestAPIVectors(t *testing.T) {
	v := readVectors(t)
	signer, err := NewAPISigner("demo-partner", v.Keys.APIPrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range v.API {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			text, err := apiText(entry.Method, entry.URL, headerOf(entry.Headers))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "text", entry.Text, text)
			signature, err := signer.signature(text)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "signature", entry.Signature, signature)
		})
	}
}

func TestWebhookVectors(t *testing.T) {
	v := readVectors(t)
	for i, entry := range v.Webhook {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			address, err := url.Parse(entry.URL)
			if err != nil {
				t.Fatal(err)
			}
			verifier, err := NewWebhookVerifier(entry.URL, v.Keys.WebhookPublicKey)
			if err != nil {
				t.Fatal(err)
			}
			seconds, err := strconv.ParseInt(entry.Headers["X-Fp-Timestamp"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			signed, _, err := webhookHeaders(headerOf(entry.Headers))
			if err != nil {
				t.Fatal(err)
			}
			text, err := requestText(entry.Method, address, signed, address.Query())
			if err != nil {
				t.Fatal(err)
			}
			same(t, "text", entry.Text, text)
			digest, err := verifier.Verify(headerOf(entry.Headers), address.RawQuery, time.Unix(seconds, 0))
			same(t, "valid", entry.Valid, err == nil)
			if entry.Valid {
				sum := sha256.Sum256([]byte(entry.Text))
				same(t, "digest", hex.EncodeToString(sum[:]), digest)
				refuseChanged(t, verifier, headerOf(entry.Headers), address.RawQuery, seconds)
			}
		})
	}
}

func TestSignedBodyVectors(t *testing.T) {
	for _, entry := range readVectors(t).SignedBody {
		t.Run(entry.Name, func(t *testing.T) {
			t.Skip("signed bodies are not supported")
		})
	}
}

// refuseChanged changes a valid webhook in several ways, and checks that the verifier refuses each of them.
func refuseChanged(t *testing.T, verifier *WebhookVerifier, valid http.Header, query string, seconds int64) {
	t.Helper()
	changes := map[string]func(header http.Header, query *string, seconds *int64){
		"301 s late":      func(_ http.Header, _ *string, s *int64) { *s += 301 },
		"301 s early":     func(_ http.Header, _ *string, s *int64) { *s -= 301 },
		"another nonce":   func(h http.Header, _ *string, _ *int64) { h.Set("X-Fp-Nonce", "1") },
		"an added header": func(h http.Header, _ *string, _ *int64) { h.Set("X-Fp-Extra", "1") },
		"a header twice":  func(h http.Header, _ *string, _ *int64) { h.Add("X-Fp-Nonce", h.Get("X-Fp-Nonce")) },
		"a comma":         func(h http.Header, _ *string, _ *int64) { h.Set("X-Fp-Nonce", "1, 1") },
		"no signature":    func(h http.Header, _ *string, _ *int64) { h.Del("X-Fp-Signature") },
		"a line break": func(h http.Header, _ *string, _ *int64) {
			h.Set("X-Fp-Signature", h.Get("X-Fp-Signature")+"\n")
		},
		"another query":       func(_ http.Header, q *string, _ *int64) { *q = "tenant=other" },
		"a parameter twice":   func(_ http.Header, q *string, _ *int64) { *q = "a=1&a=1" },
		"a malformed query":   func(_ http.Header, q *string, _ *int64) { *q = "a=%zz" },
		"a header in a query": func(_ http.Header, q *string, _ *int64) { *q = "x-fp-nonce=1" },
	}
	for name, change := range changes {
		header, query, seconds := valid.Clone(), query, seconds
		change(header, &query, &seconds)
		if _, err := verifier.Verify(header, query, time.Unix(seconds, 0)); err == nil {
			t.Errorf("a webhook with %s was accepted", name)
		}
	}
	if _, err := verifier.Verify(valid, query, time.Unix(seconds+300, 0)); err != nil {
		t.Errorf("a webhook of 300 s was refused: %v", err)
	}
}
