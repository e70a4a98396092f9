package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net/http"
	"time"

	"example.com/ramp-backend/signer"
)

const (
	maxBodyBytes = 16 << 10

	// A signature is valid for 300 seconds. The page gets a shorter time, so that it never opens an expired URL.
	expiresInSeconds = 240
)

// checkoutHandler serves POST /api/ramp/checkouts, and GET for the pages that poll.
type checkoutHandler struct {
	signer         *signer.WidgetSigner
	store          *memoryStore
	allowedOrigins map[string]bool
}

// proposal is the body of a page's request. It is untrusted.
type proposal struct {
	Widget signer.Widget     `json:"widget"`
	Params map[string]string `json:"params"`
}

// answer is the response. The page builds the URL from Params, whose values are not encoded.
type answer struct {
	Reference        string            `json:"reference"`
	Params           map[string]string `json:"params"`
	ExpiresInSeconds int               `json:"expiresInSeconds"`
}

// problem is an error that is returned to the page.
type problem struct {
	status  int
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p *problem) Error() string { return p.Message }

func (h *checkoutHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		h.poll(w, r)
		return
	}
	proposed, err := h.read(w, r)
	if err != nil {
		writeError(w, err)
		return
	}
	granted, err := h.grant(findUser(r), proposed)
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusCreated, granted)
}

// read checks the request and reads its body. JSON and a known origin are required, so that another site cannot get a
// signature with the shopper's cookies.
func (h *checkoutHandler) read(w http.ResponseWriter, r *http.Request) (proposal, error) {
	var p proposal
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "GET, POST")
		return p, &problem{http.StatusMethodNotAllowed, "ERR_METHOD_NOT_ALLOWED", "Use GET or POST."}
	}
	if !h.allowedOrigins[r.Header.Get("Origin")] {
		return p, &problem{http.StatusForbidden, "ERR_ORIGIN_REFUSED",
			"This origin is not allowed. Add it to SHOP_ORIGIN."}
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return p, &problem{http.StatusUnsupportedMediaType, "ERR_CONTENT_TYPE", "Send Content-Type: application/json."}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return p, &problem{http.StatusRequestEntityTooLarge, "ERR_BODY_TOO_LARGE", "The body is larger than 16 KB."}
	}
	if err != nil || !json.Valid(body) {
		return p, &problem{http.StatusBadRequest, "ERR_REQUEST", "The body is not JSON."}
	}
	// Other fields are ignored, because a page of a later release may send some. This example has one wallet for every
	// coin, so it does not read "selection" either.
	if err := json.Unmarshal(body, &p); err != nil || !p.Widget.Valid() {
		return p, &problem{http.StatusBadRequest, "ERR_PARAMS_INVALID",
			`"widget" must be "on-ramp" or "nft", and "params" an object of strings.`}
	}
	for name, value := range p.Params {
		if !p.Widget.Proposable(name) || len(value) > 512 {
			return p, &problem{http.StatusBadRequest, "ERR_PARAMS_INVALID",
				`"params" has a name that the widget does not sign, or a value of more than 512 characters.`}
		}
	}
	return p, nil
}

// grant calls the policy, stores the terms under a new reference, and signs them with the reference as ext. The terms
// are stored before they are signed, so that no order can arrive with an unknown reference.
func (h *checkoutHandler) grant(userID string, p proposal) (answer, error) {
	granted, err := decide(userID, p.Widget, p.Params)
	if err != nil {
		return answer{}, err
	}
	reference, err := newReference()
	if err != nil {
		return answer{}, err
	}
	h.store.keep(reference, checkout{
		userID:   granted.userID,
		widget:   p.Widget,
		params:   granted.params,
		agreedAt: time.Now(),
	})
	params := map[string]string{"ext": reference}
	for name, value := range granted.params {
		params[name] = value
	}
	signed, err := h.signer.Sign(p.Widget, params, nil)
	if err != nil {
		return answer{}, err
	}
	return answer{Reference: reference, Params: signed, ExpiresInSeconds: expiresInSeconds}, nil
}

// newReference returns 22 random characters that need no encoding.
func newReference() (string, error) {
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("create a reference: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// writeError sends a problem or a refusal to the page. It logs every other error and sends a general message instead.
func writeError(w http.ResponseWriter, err error) {
	var refused refusal
	var p *problem
	switch {
	case errors.As(err, &p):
	case errors.As(err, &refused):
		p = &problem{http.StatusForbidden, "ERR_POLICY_REFUSED", refused.Error()}
	default:
		log.Print(err)
		p = &problem{http.StatusInternalServerError, "ERR_INTERNAL", "The checkout is currently not available."}
	}
	writeJSON(w, p.status, map[string]*problem{"error": p})
}

func writeJSON(w http.ResponseWriter, status int, body interface{}) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Printf("write a response: %v", err)
	}
}
