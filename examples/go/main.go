// Command ramp-backend is a shop's backend: it signs checkouts, receives webhooks, reads the order list, and shows
// shoppers their checkouts.
package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/ramp-backend/signer"
)

// proposable are the parameters that a page may propose. They are checked but not used.
var proposable = map[string]bool{"walletAddress": true, "walletAddressLocked": true, "walletAddressHidden": true}

// refused is a refused request: the status and the error that the page gets.
type refused struct {
	status        int
	Code, Message string
}

func (r refused) Error() string { return r.Message }

type object map[string]any

func main() {
	s := &shop{
		checkouts: map[string]*checkout{},
		reviews:   map[review]bool{},
		webhooks:  map[string]time.Time{},
		due:       make(chan struct{}, 1),
	}
	seconds, err := strconv.Atoi(os.Getenv("RAMP_POLL_SECONDS"))
	if err != nil {
		seconds = 60
	}
	go s.readOrders(time.Duration(seconds) * time.Second)
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	server := http.Server{Addr: "127.0.0.1:" + port, Handler: s, ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body, err := s.route(r)
	if err != nil {
		var problem refused
		if !errors.As(err, &problem) { // the page must not see the message of an unexpected error
			log.Print(err)
			problem = refused{http.StatusInternalServerError, "ERR_INTERNAL", "Currently not available."}
		}
		status, body = problem.status, object{"error": object{"code": problem.Code, "message": problem.Message}}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Print(err)
	}
}

func (s *shop) route(r *http.Request) (int, any, error) {
	user := findUser(r)
	reference := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	switch r.Method + " " + r.URL.Path {
	case "POST /api/ramp/checkouts":
		body, err := s.open(user, r)
		return http.StatusCreated, body, err
	case "POST /api/ramp/webhook":
		return http.StatusOK, object{}, s.receiveWebhook(r)
	case "GET /api/ramp/checkouts":
		query := r.URL.Query()
		if limit := query.Get("limit"); !query.Has("references") || limit != "" && limit != "0" {
			return 0, nil, refused{http.StatusNotFound, "ERR_NOT_FOUND", "This backend has no list of checkouts."}
		}
		named := []object{}
		for i, each := range strings.Split(query.Get("references"), ",") {
			if found := s.find(user, each); found != nil && i < 50 {
				named = append(named, found)
			}
		}
		return http.StatusOK, object{"checkouts": []object{}, "named": named, "pollAfterSeconds": 3}, nil
	case "GET /api/ramp/checkouts/" + reference:
		found := s.find(user, reference)
		if found == nil {
			return 0, nil, refused{http.StatusNotFound, "ERR_CHECKOUT_NOT_FOUND", "Checkout not found."}
		}
		found["pollAfterSeconds"] = 3
		return http.StatusOK, found, nil
	}
	return 0, nil, refused{http.StatusNotFound, "ERR_NOT_FOUND", "Route not found."}
}

// open decides, stores the terms under a new reference, and signs them with the reference as ext.
func (s *shop) open(user string, r *http.Request) (object, error) {
	if err := check(r); err != nil {
		return nil, err
	}
	if user == "" {
		return nil, refused{http.StatusUnauthorized, "ERR_SIGNED_OUT", "Sign in to buy."}
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	reference := base64.RawURLEncoding.EncodeToString(random)
	params := decide(user)
	params["ext"] = reference
	// Store the terms before the page gets the signature, so that every order finds its terms.
	s.Lock()
	s.checkouts[reference] = &checkout{user: user, params: params, at: time.Now().Unix()}
	s.Unlock()
	signed, err := signer.SignWidget(params, os.Getenv("RAMP_PARTNER_ID"), os.Getenv("RAMP_SECRET_KEY"))
	// A signature is valid for 300 seconds. With less, the page never opens an expired URL.
	return object{"reference": reference, "params": signed, "expiresInSeconds": 240}, err
}

// check refuses malformed requests. Unknown fields are ignored: a later page may send more.
func check(r *http.Request) error {
	// Accept JSON from your own pages only, so that another site cannot sign with the shopper's cookies.
	origin := r.Header.Get("Origin")
	if origin == "" || !strings.Contains(","+os.Getenv("SHOP_ORIGIN")+",", ","+origin+",") {
		return refused{http.StatusForbidden, "ERR_ORIGIN_REFUSED", "This origin is not in SHOP_ORIGIN."}
	}
	if mediaType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); mediaType != "application/json" {
		return refused{http.StatusUnsupportedMediaType, "ERR_CONTENT_TYPE", "Send Content-Type: application/json."}
	}
	content, err := io.ReadAll(io.LimitReader(r.Body, 16<<10+1))
	if len(content) > 16<<10 {
		return refused{http.StatusRequestEntityTooLarge, "ERR_BODY_TOO_LARGE", "The body is larger than 16 KB."}
	}
	if err != nil || !json.Valid(content) {
		return refused{http.StatusBadRequest, "ERR_REQUEST", "The body is not JSON."}
	}
	var body struct {
		Widget string
		Params map[string]string
	}
	isTyped := json.Unmarshal(content, &body) == nil
	if isTyped && body.Widget == "nft" {
		return refused{http.StatusForbidden, "ERR_POLICY_REFUSED", "This shop sells no NFTs."}
	}
	if !isTyped || body.Widget != "on-ramp" {
		return refused{http.StatusBadRequest, "ERR_PARAMS_INVALID",
			`"widget" must be "on-ramp", and "params" an object of texts.`}
	}
	for name, value := range body.Params {
		if !proposable[name] || len(value) > 512 {
			return refused{http.StatusBadRequest, "ERR_PARAMS_INVALID",
				`"params" has an unknown name, or a value of more than 512 characters.`}
		}
	}
	return nil
}

// find returns what the shopper may see, as docs/http.md defines it, or nil. Checkouts of others look unknown.
func (s *shop) find(user, reference string) object {
	s.Lock()
	defer s.Unlock()
	c := s.checkouts[reference]
	if c == nil || user == "" || c.user != user {
		return nil
	}
	reviewed, unknown := 0, 0
	for r := range s.reviews {
		if r.reference == reference && r.reason == "unknown-status" {
			unknown++
		} else if r.reference == reference {
			reviewed++
		}
	}
	shown := object{"reference": reference, "widget": "on-ramp", "progress": "waiting", "orders": []object{}}
	switch {
	case c.delivered != nil:
		shown["progress"], shown["orders"] = "finished", []object{describe(c.delivered)}
		if reviewed > 0 {
			shown["underReview"] = reviewed
		}
	case reviewed > 0:
		shown["progress"] = "review"
	case unknown > 0:
		shown["progress"] = "unconfirmed"
	case time.Now().Unix()-c.at > day:
		shown["progress"] = "expired"
	}
	return shown
}

// describe shows no wallet and no user. docs/http.md lists more fields, all of them optional.
func describe(o order) object {
	shown := object{"state": "finished"}
	for _, name := range []string{
		"orderId", "fiatCurrency", "currencyAmount", "cryptoCurrency", "cryptoCurrencyAmount", "network",
	} {
		if value := o.text(name); value != "" {
			shown[name] = value
		}
	}
	return shown
}

// receiveWebhook takes a genuine webhook as a hint to read the order list. Its body is not signed, so it is not read.
func (s *shop) receiveWebhook(r *http.Request) error {
	address, key, now := os.Getenv("RAMP_WEBHOOK_URL"), os.Getenv("RAMP_WEBHOOK_PUBLIC_KEY"), time.Now()
	digest, err := signer.VerifyWebhook(address, key, r.Header, r.URL.RawQuery, now)
	if err != nil {
		log.Printf("Webhook refused: %v", err)
		return refused{http.StatusUnauthorized, "ERR_WEBHOOK_VERIFICATION", "The webhook was not verified."}
	}
	s.Lock()
	defer s.Unlock()
	for known, at := range s.webhooks {
		if now.Sub(at) > time.Hour {
			delete(s.webhooks, known)
		}
	}
	_, isReplay := s.webhooks[digest]
	s.webhooks[digest] = now
	if isReplay {
		return nil
	}
	select {
	case s.due <- struct{}{}:
	default: // it is due already
	}
	return nil
}
