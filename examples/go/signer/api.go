package signer

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// apiHeaders are the signed headers of a request to the partner API. Content-Type is not signed.
var apiHeaders = []string{"X-Fp-Version", "X-Fp-Timestamp", "X-Fp-Nonce", "X-Fp-Partner-Id"}

// APISigner creates the headers of requests to the partner API, signed with APIPrivateKey. Keep it on the server.
type APISigner struct {
	partnerID string
	key       *rsa.PrivateKey
}

// NewAPISigner creates a signer from APIPrivateKey in PEM, PKCS#8 or PKCS#1.
func NewAPISigner(partnerID, privateKey string) (*APISigner, error) {
	key, err := parsePrivateKey(privateKey)
	if err != nil {
		return nil, err
	}
	return &APISigner{partnerID: partnerID, key: key}, nil
}

// Headers returns the headers for one GET request to address, the complete URL. A retry needs new headers.
func (s *APISigner) Headers(address string) (http.Header, error) {
	nonce, err := newNonce()
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	header.Set("X-Fp-Version", "v1.0")
	header.Set("X-Fp-Timestamp", strconv.FormatInt(time.Now().Unix(), 10))
	header.Set("X-Fp-Nonce", nonce)
	header.Set("X-Fp-Partner-Id", s.partnerID)
	text, err := apiText(http.MethodGet, address, header)
	if err != nil {
		return nil, err
	}
	signature, err := s.signature(text)
	if err != nil {
		return nil, err
	}
	header.Set("X-Fp-Signature", signature)
	header.Set("Content-Type", "application/json")
	return header, nil
}

// String keeps the private key out of logs.
func (s *APISigner) String() string {
	return "APISigner of " + s.partnerID
}

// GoString keeps the private key out of logs that use %#v.
func (s *APISigner) GoString() string {
	return s.String()
}

// signature returns RSASSA-PKCS1-v1_5 with SHA-256, in base64.
func (s *APISigner) signature(text string) (string, error) {
	sum := sha256.Sum256([]byte(text))
	raw, err := rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign with APIPrivateKey: %w", err)
	}
	return base64.StdEncoding.EncodeToString(raw), nil
}

func apiText(method, address string, header http.Header) (string, error) {
	parsed, err := parseAddress(address)
	if err != nil {
		return "", err
	}
	query, err := parseQuery(parsed.RawQuery)
	if err != nil {
		return "", err
	}
	return requestText(method, parsed, lowerHeaders(header), query)
}

func lowerHeaders(header http.Header) map[string]string {
	headers := make(map[string]string, len(apiHeaders))
	for _, name := range apiHeaders {
		headers[strings.ToLower(name)] = header.Get(name)
	}
	return headers
}
