package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ramp-backend/signer"
)

var terms = checkout{
	userID:   "ann",
	widget:   signer.OnRamp,
	params:   map[string]string{"walletAddress": wallets["ann"], "walletAddressLocked": "1"},
	agreedAt: time.Now(),
}

func TestOrderKeepsDigits(t *testing.T) {
	for _, body := range []string{
		`{"orderId":"1","orderStatus":3,"currencyAmount":100.10,"finishTime":1767225600,"nftDetails":""}`,
		`{"orderId":"1","orderStatus":"3","currencyAmount":"100.10","finishTime":"1767225600","txHash":null}`,
	} {
		var o order
		if err := json.Unmarshal([]byte(body), &o); err != nil {
			t.Fatal(err)
		}
		if o.CurrencyAmount != "100.10" || o.state() != "finished" || o.FinishTime.time().Unix() != 1767225600 {
			t.Errorf("got %+v", o)
		}
	}
}

func TestMismatchIsFound(t *testing.T) {
	nft := list[map[string]text]{{"tokenId": "17"}}
	cases := []struct {
		name string
		order
		want string
	}{
		{"the same wallet", order{WalletAddress: text(strings.ToLower(wallets["ann"]))}, ""},
		{"another wallet", order{WalletAddress: "0x1"}, "walletAddress"},
		{"no wallet", order{}, "walletAddress"},
		{"an NFT", order{NFTDetails: nft}, "widget"},
	}
	for _, c := range cases {
		if got := findMismatch(c.order, terms); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	sold := checkout{widget: signer.NFT, params: map[string]string{"tokenId": "18"}}
	if got := findMismatch(order{NFTDetails: nft}, sold); got != "tokenId" {
		t.Errorf("another NFT: got %q", got)
	}
}

func TestProgress(t *testing.T) {
	matched := record{order: order{OrderID: "1"}, state: "finished"}
	reviewed := record{order: order{OrderID: "2"}, state: "finished", review: "walletAddress"}
	settled := record{order: order{OrderID: "1"}, state: "settled"}
	now := time.Now()
	cases := []struct {
		records     []record
		now         time.Time
		progress    string
		underReview int
	}{
		{nil, now, "waiting", 0},
		{nil, now.Add(25 * time.Hour), "expired", 0},
		{[]record{matched}, now, "finished", 0},
		{[]record{settled, matched}, now, "settled", 0},
		{[]record{reviewed}, now, "review", 0},
		{[]record{matched, reviewed}, now, "finished", 1},
	}
	for _, c := range cases {
		got := describe("r", terms, c.records, c.now)
		if got.Progress != c.progress || got.UnderReview != c.underReview {
			t.Errorf("got %q and %d, want %q and %d", got.Progress, got.UnderReview, c.progress, c.underReview)
		}
	}
}

func TestStoreDeliversOnceAndNeverGoesBack(t *testing.T) {
	store := newMemoryStore()
	at := func(state string) bool {
		deliver, _ := store.record("r", record{order: order{OrderID: "1"}, state: state})
		return deliver
	}
	if !at("finished") || at("finished") || at("settled") || at("settlement") {
		t.Error("an order was not delivered exactly once")
	}
	if got := store.ordersOf("r")[0].state; got != "settled" {
		t.Errorf("got %q, want settled", got)
	}
	now := time.Now()
	if !store.isNewWebhook("a", now) || store.isNewWebhook("a", now) || !store.isNewWebhook("b", now) {
		t.Error("a replay was not recognized")
	}
}

func TestEachOutcome(t *testing.T) {
	store := newMemoryStore()
	for _, reference := range []string{"once", "twice", "wrong", "unknown", "undone"} {
		store.keep(reference, terms)
	}
	store.keep("nft", checkout{widget: signer.NFT, params: map[string]string{"tokenId": "7"}})
	wallet, nft := text(wallets["ann"]), list[map[string]text]{{"tokenId": "7"}}
	orders := []order{
		{OrderID: "o1", OrderStatus: "3", WalletAddress: wallet, Ext: "once"},
		{OrderID: "o2", OrderStatus: "3", WalletAddress: wallet, Ext: "twice"},
		{OrderID: "o3", OrderStatus: "3", WalletAddress: wallet, Ext: "twice"},
		{OrderID: "o4", OrderStatus: "3", WalletAddress: "0x1", Ext: "wrong"},
		{OrderID: "o5", OrderStatus: "99", WalletAddress: wallet, Ext: "unknown"},
		{OrderID: "o6", OrderStatus: "3", WalletAddress: wallet, Ext: "undone"},
		{OrderID: "o6", OrderStatus: "99", WalletAddress: wallet, Ext: "undone"},
		{OrderID: "o7", OrderStatus: "3", WalletAddress: wallet, Ext: "of another system"},
		{OrderID: "n1", OrderStatus: "1", NFTDetails: nft, Ext: "nft"},
		{OrderID: "n2", OrderStatus: "1", NFTDetails: nft, Ext: "nft"},
	}
	poller := newOrderPoller("https://api.example", nil, store, time.Minute)
	for i := 0; i < 2; i++ {
		for _, o := range orders {
			poller.record(o, time.Now())
		}
	}
	delivered := map[string]string{"once": "o1", "twice": "o2", "undone": "o6", "nft": "n1"}
	if !reflect.DeepEqual(store.delivered, delivered) {
		t.Errorf("delivered %v, want %v", store.delivered, delivered)
	}
	reviews := map[[2]string]bool{
		{"o3", "paid again"}: true, {"o4", "walletAddress"}: true, {"o5", "unknown status 99"}: true,
		{"o6", "unknown status 99"}: true, {"o7", "unmatched"}: true, {"n2", "second-order"}: true,
	}
	if !reflect.DeepEqual(store.reviews, reviews) {
		t.Errorf("reviews %v, want %v", store.reviews, reviews)
	}
}

// pages responds with the orders 1 to 5, two on a page, whatever size was requested.
type pages struct{ total int }

func (p pages) RoundTrip(request *http.Request) (*http.Response, error) {
	page, _ := strconv.Atoi(request.URL.Query().Get("page"))
	orders := []string{}
	for id := 2*page - 1; id <= 2*page && id <= 5; id++ {
		orders = append(orders, fmt.Sprintf(`{"orderId":"%d","orderStatus":3}`, id))
	}
	body := fmt.Sprintf(`{"code":"10000","data":{"totalCount":%d,"list":[%s]}}`, p.total, strings.Join(orders, ","))
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func TestSmallPagesAreReadToTheEnd(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	block := pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	s, err := signer.NewAPISigner("demo-partner", string(pem.EncodeToMemory(&block)))
	if err != nil {
		t.Fatal(err)
	}
	for total, complete := range map[int]bool{5: true, 6: false} {
		store := newMemoryStore()
		poller := newOrderPoller("https://api.example", s, store, time.Minute)
		poller.client.Transport = pages{total}
		hasAll, err := poller.read(time.Now().Add(-day), time.Now(), time.Now())
		if err != nil || hasAll != complete || len(store.reviews) != 5 {
			t.Errorf("%d orders: got %v, %v and %d reviews", total, hasAll, err, len(store.reviews))
		}
	}
}

func TestStatusIsForItsOwner(t *testing.T) {
	store := newMemoryStore()
	store.keep("r", terms)
	for session, status := range map[string]int{"demo-session-of-ann": 200, "demo-session-of-bob": 404, "": 404} {
		request := httptest.NewRequest(http.MethodGet, checkoutPrefix+"r", nil)
		request.AddCookie(&http.Cookie{Name: "session", Value: session})
		recorder := httptest.NewRecorder()
		(&statusHandler{store: store}).ServeHTTP(recorder, request)
		if recorder.Code != status || strings.Contains(recorder.Body.String(), wallets["ann"]) {
			t.Errorf("%q got %d %s", session, recorder.Code, recorder.Body)
		}
	}
}
