package signer

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
)

func parsePrivateKey(text string) (*rsa.PrivateKey, error) {
	malformed := errors.New("APIPrivateKey is not an RSA key in PEM: set it with its BEGIN and END lines")
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, malformed
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, malformed
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, malformed
	}
	return key, nil
}

func parsePublicKey(text string) (*rsa.PublicKey, error) {
	malformed := errors.New("WebhookPublicKey is not an RSA key in PEM: set it with its BEGIN and END lines")
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, malformed
	}
	if key, err := x509.ParsePKCS1PublicKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, malformed
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, malformed
	}
	return key, nil
}
