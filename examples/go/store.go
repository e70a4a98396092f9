package main

import (
	"sync"
	"time"

	"example.com/ramp-backend/signer"
)

// checkout has the terms of a checkout. Compare them with the order when it arrives.
type checkout struct {
	userID   string
	widget   signer.Widget
	params   map[string]string
	agreedAt time.Time
}

// memoryStore keeps checkouts by their reference in memory. Production needs a database that all instances share, and a
// job that deletes checkouts without an order.
type memoryStore struct {
	mu        sync.Mutex
	checkouts map[string]checkout
}

func newMemoryStore() *memoryStore {
	return &memoryStore{checkouts: make(map[string]checkout)}
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
