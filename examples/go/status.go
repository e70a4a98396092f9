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

// statusHandler serves GET /api/ramp/checkouts/:reference.
type statusHandler struct {
	store *memoryStore
}

func (h *statusHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reference := strings.TrimPrefix(r.URL.Path, checkoutPrefix)
	c, ok := h.store.find(reference)
	// A checkout of another user looks like an unknown one.
	if r.Method != http.MethodGet || !ok || c.userID != findUser(r) {
		writeError(w, &problem{http.StatusNotFound, "ERR_REQUEST", "Checkout not found."})
		return
	}
	writeJSON(w, http.StatusOK, describe(reference, c, h.store.ordersOf(reference), time.Now()))
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
