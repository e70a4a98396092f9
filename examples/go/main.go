// Command ramp-backend signs checkouts. It serves POST /api/ramp/checkouts.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/ramp-backend/signer"
)

func main() {
	handler, err := newHandler(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	address := os.Getenv("RAMP_LISTEN")
	if address == "" {
		address = "127.0.0.1:8080"
	}
	server := &http.Server{
		Addr:              address,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
	}
	log.Printf("POST http://%s/api/ramp/checkouts", address)
	log.Fatal(server.ListenAndServe())
}

// newHandler creates the routes. getenv returns an environment variable. Every setting is required.
func newHandler(getenv func(string) string) (http.Handler, error) {
	for _, name := range []string{"RAMP_PARTNER_ID", "RAMP_SECRET_KEY", "RAMP_ALLOWED_ORIGINS"} {
		if getenv(name) == "" {
			return nil, fmt.Errorf("%s is not set: set it in the environment", name)
		}
	}
	widgetSigner, err := signer.NewWidgetSigner(getenv("RAMP_PARTNER_ID"), getenv("RAMP_SECRET_KEY"))
	if err != nil {
		return nil, err
	}
	origins := make(map[string]bool)
	for _, origin := range strings.Split(getenv("RAMP_ALLOWED_ORIGINS"), ",") {
		if origin = strings.TrimSpace(origin); origin != "" {
			origins[origin] = true
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/api/ramp/checkouts", &checkoutHandler{
		signer:         widgetSigner,
		store:          newMemoryStore(),
		allowedOrigins: origins,
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		const message = "Route not found. Use POST /api/ramp/checkouts."
		writeError(w, &problem{http.StatusNotFound, "ERR_REQUEST", message})
	})
	return mux, nil
}
