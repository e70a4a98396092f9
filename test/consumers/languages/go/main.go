// Command sign-cases reads test cases from standard input, signs them with the signer of examples/go, and prints the
// signed URLs and headers.
package main

import (
	"encoding/json"
	"log"
	"os"

	"example.com/ramp-backend/signer"
)

type input struct {
	PartnerID, SecretKey, WidgetURL, APIPrivateKey string
	APIURLs                                        []string
	Cases                                          []struct {
		Widget                        signer.Widget
		Params, ExtraSigned, Unsigned map[string]string
	}
}

type output struct {
	URLs    []string            `json:"urls"`
	Headers []map[string]string `json:"headers"`
}

func main() {
	var in input
	must(json.NewDecoder(os.Stdin).Decode(&in))
	must(json.NewEncoder(os.Stdout).Encode(output{URLs: widgetURLs(in), Headers: apiHeaders(in)}))
}

func widgetURLs(in input) []string {
	widgetSigner, err := signer.NewWidgetSigner(in.PartnerID, in.SecretKey)
	must(err)
	var urls []string
	for _, c := range in.Cases {
		signed, err := widgetSigner.Sign(c.Widget, c.Params, c.ExtraSigned)
		must(err)
		address, err := signer.URL(in.WidgetURL, c.Widget, signed, c.Unsigned)
		must(err)
		urls = append(urls, address)
	}
	return urls
}

func apiHeaders(in input) []map[string]string {
	apiSigner, err := signer.NewAPISigner(in.PartnerID, in.APIPrivateKey)
	must(err)
	var headers []map[string]string
	for _, address := range in.APIURLs {
		header, err := apiSigner.Headers(address)
		must(err)
		flat := map[string]string{}
		for name := range header {
			flat[name] = header.Get(name)
		}
		headers = append(headers, flat)
	}
	return headers
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
