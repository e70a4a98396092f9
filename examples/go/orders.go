package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/ramp-backend/signer"
)

const day = 86_400

// order is an order of the list. The service may write a value as text or as a number.
type order map[string]any

func (o order) text(name string) string {
	if o[name] == nil {
		return ""
	}
	return fmt.Sprint(o[name])
}

type checkout struct {
	user      string
	params    map[string]string
	at        int64
	delivered order
}

// review says why a person must look at an order.
type review struct{ reference, orderID, reason string }

// shop keeps everything in memory. Replace it with your database before you sell: a restart forgets what was sold.
type shop struct {
	sync.Mutex
	checkouts map[string]*checkout
	reviews   map[review]bool
	webhooks  map[string]time.Time
	readUntil int64
	due       chan struct{} // asks for a reading now
}

// readOrders reads the order list, which is the only proof that a checkout was paid: at intervals, because a webhook
// can be lost, and at once after a webhook.
func (s *shop) readOrders(pause time.Duration) {
	for {
		if err := s.sync(time.Now().Unix()); err != nil { // the next interval tries again
			log.Printf("The order list could not be read: %v", err)
		}
		select {
		case <-s.due:
		case <-time.After(pause):
		}
	}
}

// sync reads all orders since the last complete reading. An order is listed by its finish time, perhaps late.
func (s *shop) sync(now int64) error {
	start := s.readUntil - 7200
	if s.readUntil == 0 {
		start = now - 7*day
	}
	isComplete := true
	for end := start; end < now; start = end {
		if end = start + day; end > now {
			end = now
		}
		hasAll, err := s.read(start, end)
		if err != nil {
			return err
		}
		isComplete = isComplete && hasAll
	}
	if !isComplete {
		return errors.New("it has fewer orders than its totalCount")
	}
	s.readUntil = now
	return nil
}

// read books the orders of a range. It reports whether there were as many as the service counts. A page may have fewer
// orders than requested, so the number of pages says nothing.
func (s *shop) read(start, end int64) (bool, error) {
	seen, count := map[string]bool{}, 1
	for page := 1; len(seen) < count; page++ {
		data, err := requestOrders(fmt.Sprintf("startTime=%d&endTime=%d&page=%d&size=20", start, end, page))
		if err != nil {
			return false, err
		}
		known := len(seen)
		list, _ := data["list"].([]any) // an empty one may be an empty text
		for _, each := range list {
			o := order(each.(map[string]any))
			seen[o.text("orderId")] = true
			s.book(o)
		}
		if count, err = strconv.Atoi(data.text("totalCount")); err != nil {
			return false, err
		}
		if len(seen) == known {
			break
		}
	}
	return len(seen) >= count, nil
}

func requestOrders(query string) (order, error) {
	url := strings.TrimRight(os.Getenv("RAMP_API_URL"), "/") + "/open/api/onramp/order?" + query
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header, err = signer.APIHeader(url, os.Getenv("RAMP_PARTNER_ID"), os.Getenv("RAMP_API_PRIVATE_KEY"))
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var envelope struct {
		Code any
		Data order
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber() // amounts keep their digits
	err = decoder.Decode(&envelope)
	if err == nil && fmt.Sprint(envelope.Code) != "10000" {
		err = fmt.Errorf("the service responded with code %v", envelope.Code)
	}
	return envelope.Data, err
}

// book delivers a checkout's first order that matches its terms. Every other order is for the staff.
func (s *shop) book(o order) {
	s.Lock()
	defer s.Unlock()
	id, c := o.text("orderId"), s.checkouts[o.text("ext")]
	details, _ := o["nftDetails"].([]any)
	reason := ""
	switch {
	case c == nil:
		reason = "no-checkout" // it was lost, or another system sells under this partner ID
	case o.text("orderStatus") != "3":
		reason = "unknown-status" // perhaps a delivered order was refunded
	case c.delivered != nil && c.delivered.text("orderId") == id:
		return
	case c.delivered != nil:
		reason = "second-order"
	case len(details) > 0:
		reason = "widget"
	// The policy locks the wallet. The case of a hexadecimal address is only a checksum.
	case !strings.EqualFold(o.text("walletAddress"), c.params["walletAddress"]):
		reason = "wallet"
	default:
		// Give the user what was paid here. A database does it in one transaction with the order, in which the
		// reference is the unique key of the delivery.
		c.delivered = o
		log.Printf("Deliver order %s to %s", id, c.user)
		return
	}
	// A person must look at it, because it may be paid.
	if r := (review{o.text("ext"), id, reason}); !s.reviews[r] {
		s.reviews[r] = true
		log.Printf("Review order %s: %s", id, reason)
	}
}
