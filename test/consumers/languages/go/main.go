// Command sign-cases runs tasks from standard input with the signatures of examples/go, and prints their results.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/ramp-backend/signer"
)

type task struct {
	Do, PartnerID, SecretKey, PrivateKey, PublicKey, Method, URL, Address, Query string

	Params  map[string]string
	Headers json.RawMessage
	Now     int64
}

func main() {
	var tasks []task
	if err := json.NewDecoder(os.Stdin).Decode(&tasks); err != nil {
		log.Fatal(err)
	}
	results := make([]map[string]string, len(tasks))
	for i, t := range tasks {
		result, err := t.run()
		if err != nil {
			result = map[string]string{"error": err.Error()}
		}
		results[i] = result
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		log.Fatal(err)
	}
}

func (t task) run() (map[string]string, error) {
	switch t.Do {
	case "sign":
		return signer.SignWidget(t.Params, t.PartnerID, t.SecretKey)
	case "headers":
		return t.headers()
	case "widget":
		text, err := signer.WidgetText(t.Params)
		return map[string]string{"text": text, "signature": signer.WidgetSignature(text, t.SecretKey)}, err
	case "request":
		return t.request()
	}
	return t.webhook()
}

func (t task) headers() (map[string]string, error) {
	header, err := signer.APIHeader(t.URL, t.PartnerID, t.PrivateKey)
	flat := map[string]string{}
	for name := range header {
		flat[name] = header.Get(name)
	}
	return flat, err
}

func (t task) request() (map[string]string, error) {
	var headers map[string]string
	if err := json.Unmarshal(t.Headers, &headers); err != nil {
		return nil, err
	}
	_, query, _ := strings.Cut(t.URL, "?")
	text, err := signer.RequestText(t.Method, t.URL, headers, query)
	if err != nil {
		return nil, err
	}
	signature, err := signer.RSASignature(text, t.PrivateKey)
	return map[string]string{"text": text, "signature": signature}, err
}

func (t task) webhook() (map[string]string, error) {
	var pairs [][2]string
	if err := json.Unmarshal(t.Headers, &pairs); err != nil {
		return nil, err
	}
	header := http.Header{}
	for _, pair := range pairs {
		header.Add(pair[0], pair[1])
	}
	digest, err := signer.VerifyWebhook(t.Address, t.PublicKey, header, t.Query, time.Unix(t.Now, 0))
	return map[string]string{"digest": digest}, err
}
