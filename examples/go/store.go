package main

import (
	"sort"
	"sync"
	"time"

	"example.com/ramp-backend/signer"
)

// checkout has the terms of a checkout, which are compared with its order.
type checkout struct {
	userID   string
	widget   signer.Widget
	params   map[string]string
	agreedAt time.Time
}

// record is an order that belongs to a checkout.
type record struct {
	order
	state string
	// review says why the order must not be delivered. It is empty for an order with the terms of its checkout.
	review    string
	changedAt time.Time
}

// ranks orders the states: a later one never gives way to an earlier one, in whatever order they are read.
var ranks = map[string]int{"finished": 1, "settlement": 2, "settled": 3}

// replayTime is how long the digest of a webhook is kept.
const replayTime = time.Hour

// memoryStore keeps checkouts and orders in memory. Production needs a database that all instances share, and a job
// that deletes checkouts without an order.
type memoryStore struct {
	mu        sync.Mutex
	checkouts map[string]checkout
	// orders has the records of each reference, by order ID.
	orders map[string]map[string]record
	// delivered has the ID of the order that was delivered for each reference.
	delivered map[string]string
	// reviews has the order IDs and the reasons that the staff was told.
	reviews   map[[2]string]bool
	webhooks  map[string]time.Time
	readUntil time.Time
}

func newMemoryStore() *memoryStore {
	return &memoryStore{
		checkouts: make(map[string]checkout),
		orders:    make(map[string]map[string]record),
		delivered: make(map[string]string),
		reviews:   make(map[[2]string]bool),
		webhooks:  make(map[string]time.Time),
	}
}

func (s *memoryStore) keep(reference string, c checkout) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checkouts[reference] = c
}

// find returns the terms for a reference. The order of a checkout has the reference in ext.
func (s *memoryStore) find(reference string) (checkout, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.checkouts[reference]
	return c, ok
}

// record stores the state of an order. It reports whether the order must be delivered now, which happens once for each
// checkout, and otherwise why the staff must look at it.
func (s *memoryStore) record(reference string, r record) (deliver bool, review string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := string(r.OrderID)
	known, ok := s.orders[reference][id]
	if ok && ranks[known.state] >= ranks[r.state] {
		return false, ""
	}
	if known.review != "" {
		r.review = known.review
	}
	review = r.review
	if review == "" {
		first, booked := s.delivered[reference]
		if !booked {
			s.delivered[reference] = id
			deliver = true
		} else if first != id && r.isNFT() {
			r.review = "second-order" // an NFT is sold once
			review = r.review
		} else if first != id {
			review = "paid again" // crypto has arrived twice, which the shopper sees, but may not have wanted
		}
	}
	if s.orders[reference] == nil {
		s.orders[reference] = make(map[string]record)
	}
	s.orders[reference][id] = r
	return deliver, review
}

// isNewReview stores what the staff is told about an order. It returns false if the staff was told before.
func (s *memoryStore) isNewReview(orderID, reason string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]string{orderID, reason}
	if s.reviews[key] {
		return false
	}
	s.reviews[key] = true
	return true
}

// ordersOf returns the orders of a checkout, oldest first.
func (s *memoryStore) ordersOf(reference string) []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	records := make([]record, 0, len(s.orders[reference]))
	for _, r := range s.orders[reference] {
		records = append(records, r)
	}
	sort.Slice(records, func(i, j int) bool {
		a, b := records[i], records[j]
		return a.FinishTime < b.FinishTime || a.FinishTime == b.FinishTime && a.OrderID < b.OrderID
	})
	return records
}

// oldestUnsettled returns the finish time of the oldest NFT order that is not settled. Orders that finished before
// since are given up.
func (s *memoryStore) oldestUnsettled(since time.Time) (oldest time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, records := range s.orders {
		for _, r := range records {
			at := r.FinishTime.time()
			if r.isNFT() && r.state != "settled" && at.After(since) && (!ok || at.Before(oldest)) {
				oldest, ok = at, true
			}
		}
	}
	return oldest, ok
}

// isNewWebhook stores the digest of an accepted webhook. It returns false for a replay.
func (s *memoryStore) isNewWebhook(digest string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for known, at := range s.webhooks {
		if now.Sub(at) > replayTime {
			delete(s.webhooks, known)
		}
	}
	if _, ok := s.webhooks[digest]; ok {
		return false
	}
	s.webhooks[digest] = now
	return true
}

// lastRead returns the time up to which the order list has been read. It is zero before the first reading.
func (s *memoryStore) lastRead() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readUntil
}

func (s *memoryStore) setLastRead(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readUntil = at
}
