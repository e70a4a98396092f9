package main

import (
	"net/http"
	"strings"
	"time"

	"example.com/ramp-backend/signer"
)

const checkoutPrefix = "/api/ramp/checkouts/"

// state is what the shopper may see of a checkout, as docs/http.md defines it. It has no wallet and no user.
type state struct {
	Reference   string        `json:"reference"`
	Widget      signer.Widget `json:"widget"`
	Progress    string        `json:"progress"`
	Orders      []orderState  `json:"orders"`
	UnderReview int           `json:"underReview,omitempty"`
}

type orderState struct {
	State                string `json:"state"`
	OrderID              text   `json:"orderId"`
	FiatCurrency         text   `json:"fiatCurrency,omitempty"`
	CurrencyAmount       text   `json:"currencyAmount,omitempty"`
	CryptoCurrency       text   `json:"cryptoCurrency,omitempty"`
	CryptoCurrencyAmount text   `json:"cryptoCurrencyAmount,omitempty"`
	Network              text   `json:"network,omitempty"`
	TransactionHash      text   `json:"transactionHash,omitempty"`
	TransactionURL       text   `json:"transactionUrl,omitempty"`
	PayTime              int64  `json:"payTime,omitempty"`
	DeliverTime          int64  `json:"deliverTime,omitempty"`
	FinishTime           int64  `json:"finishTime,omitempty"`
	ChangedAt            int64  `json:"changedAt,omitempty"`
}

const (
	// How many references a page may name in one poll.
	maxReferences = 50
	// When the page may poll again. A busy backend sends a higher number.
	pollAfterSeconds = 3
)

// poll serves GET /api/ramp/checkouts?references=…: the states of the checkouts that a page names. A checkout of
// another user is left out, as an unknown one. This backend has no list of checkouts, so a page cannot show a history.
func (h *checkoutHandler) poll(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	references := strings.Split(query.Get("references"), ",")
	limit := query.Get("limit")
	if !query.Has("references") || limit != "" && limit != "0" {
		writeError(w, &problem{http.StatusNotFound, "ERR_NOT_FOUND", "This backend lists no checkouts."})
		return
	}
	if len(references) > maxReferences {
		writeError(w, &problem{http.StatusBadRequest, "ERR_PARAMS_INVALID",
			"references may have at most 50 references."})
		return
	}
	user := findUser(r)
	named := []state{}
	for _, reference := range references {
		if c, ok := h.store.find(reference); ok && user != "" && c.userID == user {
			named = append(named, describe(reference, c, h.store.ordersOf(reference), time.Now()))
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"checkouts": []state{}, "named": named, "pollAfterSeconds": pollAfterSeconds,
	})
}

// statusHandler serves GET /api/ramp/checkouts/:reference.
type statusHandler struct {
	store *memoryStore
}

func (h *statusHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reference := strings.TrimPrefix(r.URL.Path, checkoutPrefix)
	c, ok := h.store.find(reference)
	// A checkout of another user looks like an unknown one.
	if r.Method != http.MethodGet || !ok || c.userID != findUser(r) {
		writeError(w, &problem{http.StatusNotFound, "ERR_CHECKOUT_NOT_FOUND", "Checkout not found."})
		return
	}
	writeJSON(w, http.StatusOK, struct {
		state
		PollAfterSeconds int `json:"pollAfterSeconds"`
	}{describe(reference, c, h.store.ordersOf(reference), time.Now()), pollAfterSeconds})
}

func describe(reference string, c checkout, records []record, now time.Time) state {
	shown := state{Reference: reference, Widget: c.widget, Progress: "waiting", Orders: []orderState{}}
	if now.Sub(c.agreedAt) > day {
		shown.Progress = "expired"
	}
	best := 0
	for _, r := range records {
		if r.review != "" {
			shown.UnderReview++
			continue
		}
		shown.Orders = append(shown.Orders, describeOrder(r))
		if ranks[r.state] > best {
			best, shown.Progress = ranks[r.state], r.state
		}
	}
	if shown.UnderReview > 0 && best == 0 {
		shown.Progress, shown.UnderReview = "review", 0
	}
	return shown
}

func describeOrder(r record) orderState {
	shown := orderState{
		State:                r.state,
		OrderID:              r.OrderID,
		FiatCurrency:         r.FiatCurrency,
		CurrencyAmount:       r.CurrencyAmount,
		CryptoCurrency:       r.CryptoCurrency,
		CryptoCurrencyAmount: r.CryptoCurrencyAmount,
		Network:              r.Network,
		TransactionHash:      r.TxHash,
		PayTime:              r.PayTime.time().Unix(),
		DeliverTime:          r.DeliverTime.time().Unix(),
		FinishTime:           r.FinishTime.time().Unix(),
	}
	if r.TxHash != "" {
		shown.TransactionURL = r.BlockchainExplorer + r.TxHash
	}
	if r.state != "finished" {
		shown.ChangedAt = r.changedAt.Unix()
	}
	return shown
}
