package main

import (
	"log"
	"net/http"
	"time"

	"example.com/ramp-backend/signer"
)

// webhookHandler serves POST /api/ramp/webhook. A verified webhook is a hint to read the order list. Its body is not
// signed, so it is not read.
type webhookHandler struct {
	verifier *signer.WebhookVerifier
	store    *memoryStore
	poller   *orderPoller
}

func (h *webhookHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeError(w, &problem{http.StatusMethodNotAllowed, "ERR_METHOD_NOT_ALLOWED", "Use POST."})
		return
	}
	now := time.Now()
	digest, err := h.verifier.Verify(r.Header, r.URL.RawQuery, now)
	if err != nil {
		log.Printf("webhook refused: %v", err)
		writeError(w, &problem{http.StatusUnauthorized, "ERR_WEBHOOK_VERIFICATION", "The webhook was not verified."})
		return
	}
	if h.store.isNewWebhook(digest, now) {
		h.poller.wake()
	}
	writeJSON(w, http.StatusOK, struct{}{})
}
