package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/ramp-backend/signer"
)

const (
	day            = 24 * time.Hour
	lookback       = 2 * time.Hour // an order may be listed late
	firstLookback  = 7 * day
	settlementTime = 30 * day
	pageSize       = 20
)

// text is a value that the service writes as text or as a number. It keeps the digits of a number.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if data[0] != '"' {
		*t = text(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// time reads Unix seconds.
func (t text) time() time.Time {
	seconds, _ := strconv.ParseInt(string(t), 10, 64)
	return time.Unix(seconds, 0)
}

// list is an array. The service may write an empty one as an empty text.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return nil
	}
	return json.Unmarshal(data, (*[]T)(l))
}

// order is an order of the order list.
type order struct {
	OrderID              text                  `json:"orderId"`
	OrderStatus          text                  `json:"orderStatus"`
	PayTime              text                  `json:"payTime"`
	DeliverTime          text                  `json:"deliverTime"`
	FinishTime           text                  `json:"finishTime"`
	FiatCurrency         text                  `json:"fiatCurrency"`
	CurrencyAmount       text                  `json:"currencyAmount"`
	CryptoCurrency       text                  `json:"cryptoCurrency"`
	CryptoCurrencyAmount text                  `json:"cryptoCurrencyAmount"`
	WalletAddress        text                  `json:"walletAddress"`
	TxHash               text                  `json:"txHash"`
	Network              text                  `json:"network"`
	BlockchainExplorer   text                  `json:"blockchainExplorer"`
	Ext                  text                  `json:"ext"`
	NFTDetails           list[map[string]text] `json:"nftDetails"`
}

func (o order) isNFT() bool { return len(o.NFTDetails) > 0 }

// state returns "" for a status that this backend does not know.
func (o order) state() string {
	if o.isNFT() {
		return map[text]string{"1": "finished", "2": "settlement", "3": "settled"}[o.OrderStatus]
	}
	return map[text]string{"3": "finished"}[o.OrderStatus]
}

// orderPoller reads the signed order list, which is the only proof that a checkout was paid: at intervals, and at once
// when a webhook says that there is something to read.
type orderPoller struct {
	url    string
	signer *signer.APISigner
	store  *memoryStore
	pause  time.Duration
	due    chan struct{}
	client http.Client
}

func newOrderPoller(apiURL string, s *signer.APISigner, store *memoryStore, pause time.Duration) *orderPoller {
	return &orderPoller{
		url:    strings.TrimRight(apiURL, "/") + "/open/api/onramp/order",
		signer: s,
		store:  store,
		pause:  pause,
		due:    make(chan struct{}, 1),
		client: http.Client{Timeout: 10 * time.Second},
	}
}

// wake makes the list be read soon. It does not wait.
func (p *orderPoller) wake() {
	select {
	case p.due <- struct{}{}:
	default: // it is due already
	}
}

// run reads the list until the program ends.
func (p *orderPoller) run() {
	for {
		select {
		case <-p.due:
		case <-time.After(p.pause):
		}
		// After a failure, the next interval tries again.
		if err := p.sync(time.Now()); err != nil {
			log.Printf("the order list could not be read: %v", err)
		}
	}
}

// sync reads all orders since the last complete reading. An order is listed by its finish time.
func (p *orderPoller) sync(now time.Time) error {
	start := p.store.lastRead().Add(-lookback)
	if earliest := now.Add(-firstLookback); start.Before(earliest) {
		start = earliest
	}
	if unsettled, ok := p.store.oldestUnsettled(now.Add(-settlementTime)); ok && unsettled.Before(start) {
		start = unsettled
	}
	complete := true
	for start.Before(now) {
		end := start.Add(day)
		if end.After(now) {
			end = now
		}
		hasAll, err := p.read(start, end, now)
		if err != nil {
			return err
		}
		complete = complete && hasAll
		start = end
	}
	if !complete {
		return errors.New("it has fewer orders than its totalCount")
	}
	p.store.setLastRead(now)
	return nil
}

// read records the orders of a range, page by page. It reports whether there were as many as the service counts. A page
// may have fewer orders than requested, so the number of pages says nothing.
func (p *orderPoller) read(start, end, now time.Time) (bool, error) {
	seen, count := make(map[text]bool), 1
	for page := 1; len(seen) < count; page++ {
		var data struct {
			TotalCount text        `json:"totalCount"`
			List       list[order] `json:"list"`
		}
		query := fmt.Sprintf("?startTime=%d&endTime=%d&page=%d&size=%d", start.Unix(), end.Unix(), page, pageSize)
		if err := p.request(p.url+query, &data); err != nil {
			return false, err
		}
		known := len(seen)
		for _, o := range data.List {
			seen[o.OrderID] = true
			p.record(o, now)
		}
		var err error
		if count, err = strconv.Atoi(string(data.TotalCount)); err != nil {
			return false, fmt.Errorf("totalCount: %w", err)
		}
		if len(seen) == known {
			break
		}
	}
	return len(seen) >= count, nil
}

func (p *orderPoller) request(url string, data any) error {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if request.Header, err = p.signer.Headers(url); err != nil {
		return err
	}
	response, err := p.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var envelope struct {
		Code text            `json:"code"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&envelope); err != nil {
		return fmt.Errorf("status %d: %w", response.StatusCode, err)
	}
	if envelope.Code != "10000" {
		return fmt.Errorf("the service responded with code %s", envelope.Code)
	}
	return json.Unmarshal(envelope.Data, data)
}

func (p *orderPoller) record(o order, now time.Time) {
	reference, state := string(o.Ext), o.state()
	c, ok := p.store.find(reference)
	if !ok {
		p.review(o, "unmatched") // the checkout was lost, or another system sells under this partner ID
		return
	}
	if state == "" {
		p.review(o, "unknown status "+string(o.OrderStatus)) // perhaps a finished order was paid back
		return
	}
	r := record{order: o, state: state, review: findMismatch(o, c), changedAt: now}
	deliver, review := p.store.record(reference, r)
	if deliver {
		// Book the order here, in one transaction with its record.
		log.Printf("deliver the order %s", o.OrderID)
	}
	if review != "" {
		p.review(o, review)
	}
}

// review gives an order to the staff, once for each reason. It may be paid, and must not be delivered by itself. Write
// it to a table that your staff reads.
func (p *orderPoller) review(o order, reason string) {
	if p.store.isNewReview(string(o.OrderID), reason) {
		log.Printf("review the order %s: %s", o.OrderID, reason)
	}
}

// nftFields are the signed fields of an NFT that its order returns.
var nftFields = []string{
	"contractAddress", "nftNetwork", "type", "tokenId", "ownerWalletAddress", "mintQuantity", "transferWalletAddress",
	"merchantUniqueId", "merchantOrderNo", "externalCustomerId",
}

// findMismatch returns what differs between an order and the terms of its checkout, or "". An order that differs is
// never delivered.
func findMismatch(o order, c checkout) string {
	if o.isNFT() != (c.widget == signer.NFT) {
		return "widget"
	}
	if o.isNFT() {
		for _, name := range nftFields {
			if c.params[name] != "" && !same(c.params[name], o.NFTDetails[0][name]) {
				return name
			}
		}
		return ""
	}
	locked := c.params["walletAddressLocked"] == "1" || c.params["walletAddressHidden"] == "1"
	if locked && !same(c.params["walletAddress"], o.WalletAddress) {
		return "walletAddress"
	}
	return ""
}

// same compares two values. The case of a hexadecimal address is only a checksum.
func same(term string, found text) bool {
	if strings.HasPrefix(term, "0x") {
		return strings.EqualFold(term, string(found))
	}
	return term == string(found)
}
