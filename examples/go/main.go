// Command ramp-backend is a backend for the checkout components: it signs checkouts, receives webhooks, reads the order
// list, and shows the state of a checkout to its shopper.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/ramp-backend/signer"
)

func main() {
	handler, poller, err := newHandler(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	server := &http.Server{
		Addr:              "127.0.0.1:" + port,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
	}
	go poller.run()
	log.Printf("http://%s/api/ramp", server.Addr)
	log.Fatal(server.ListenAndServe())
}

// settings are the environment variables that have no default.
var settings = []string{
	"SHOP_ORIGIN", "RAMP_PARTNER_ID", "RAMP_SECRET_KEY", "RAMP_API_URL", "RAMP_API_PRIVATE_KEY",
	"RAMP_WEBHOOK_PUBLIC_KEY", "RAMP_WEBHOOK_URL",
}

// newHandler creates the routes, and the poller that feeds them. getenv returns an environment variable.
func newHandler(getenv func(string) string) (http.Handler, *orderPoller, error) {
	for _, name := range settings {
		if getenv(name) == "" {
			return nil, nil, fmt.Errorf("%s is not set: set it in the environment", name)
		}
	}
	pause := 60 * time.Second
	if seconds, err := strconv.Atoi(getenv("RAMP_POLL_SECONDS")); err == nil && seconds > 0 {
		pause = time.Duration(seconds) * time.Second
	}
	widgetSigner, err := signer.NewWidgetSigner(getenv("RAMP_PARTNER_ID"), getenv("RAMP_SECRET_KEY"))
	if err != nil {
		return nil, nil, err
	}
	apiSigner, err := signer.NewAPISigner(getenv("RAMP_PARTNER_ID"), getenv("RAMP_API_PRIVATE_KEY"))
	if err != nil {
		return nil, nil, err
	}
	verifier, err := signer.NewWebhookVerifier(getenv("RAMP_WEBHOOK_URL"), getenv("RAMP_WEBHOOK_PUBLIC_KEY"))
	if err != nil {
		return nil, nil, err
	}
	origins := make(map[string]bool)
	for _, origin := range strings.Split(getenv("SHOP_ORIGIN"), ",") {
		if origin = strings.TrimSpace(origin); origin != "" {
			origins[origin] = true
		}
	}
	store := newMemoryStore()
	poller := newOrderPoller(getenv("RAMP_API_URL"), apiSigner, store, pause)
	mux := http.NewServeMux()
	mux.Handle("/api/ramp/checkouts", &checkoutHandler{signer: widgetSigner, store: store, allowedOrigins: origins})
	mux.Handle(checkoutPrefix, &statusHandler{store: store})
	mux.Handle("/api/ramp/webhook", &webhookHandler{verifier: verifier, store: store, poller: poller})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, &problem{http.StatusNotFound, "ERR_NOT_FOUND", "Route not found."})
	})
	return mux, poller, nil
}
