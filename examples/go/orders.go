package main

import (
	"encoding/json"
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
	for start.Before(now) {
		end := start.Add(day)
		if end.After(now) {
			end = now
		}
		if err := p.read(start, end, now); err != nil {
			return err
		}
		start = end
	}
	p.store.setLastRead(now)
	return nil
}

// read records the orders of a range, page by page.
func (p *orderPoller) read(start, end, now time.Time) error {
	for page, count := 1, 1; (page-1)*pageSize < count; page++ {
		var data struct {
			TotalCount text        `json:"totalCount"`
			List       list[order] `json:"list"`
		}
		query := fmt.Sprintf("?startTime=%d&endTime=%d&page=%d&size=%d", start.Unix(), end.Unix(), page, pageSize)
		if err := p.request(p.url+query, &data); err != nil {
			return err
		}
		for _, o := range data.List {
			p.record(o, now)
		}
		var err error
		if count, err = strconv.Atoi(string(data.TotalCount)); err != nil {
			return fmt.Errorf("totalCount: %w", err)
		}
	}
	return nil
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
	if !ok || state == "" {
		return // an order of another system under this partner ID, or a state that this backend does not know
	}
	review := findMismatch(o, c)
	if p.store.record(reference, record{order: o, state: state, review: review, changedAt: now}) {
		// Book the order here, in one transaction with its record.
		log.Printf("deliver the order %s", o.OrderID)
	} else if review != "" {
		log.Printf("the order %s is under review: %s differs", o.OrderID, review)
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
