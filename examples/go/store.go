package main

import (
	"sync"
	"time"

	"example.com/ramp-backend/signer"
)

// checkout is what was agreed, to compare with the order later.
type checkout struct {
	userID   string
	widget   signer.Widget
	params   map[string]string
	agreedAt time.Time
}

// memoryStore keeps checkouts under their reference and forgets them with the process. Production needs a database that
// all instances share, and a job that deletes checkouts which never became an order.
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

// find returns what was agreed under the reference that an order carries in ext.
func (s *memoryStore) find(reference string) (checkout, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.checkouts[reference]
	return c, ok
}
