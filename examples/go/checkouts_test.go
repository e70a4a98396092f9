package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/ramp-backend/signer"
)

const shop = "https://shop.example"

func demoHandler(t *testing.T) *checkoutHandler {
	t.Helper()
	widgetSigner, err := signer.NewWidgetSigner("demo-partner", "demonstration-key")
	if err != nil {
		t.Fatal(err)
	}
	return &checkoutHandler{signer: widgetSigner, store: newMemoryStore(), allowedOrigins: map[string]bool{shop: true}}
}

func ask(handler http.Handler, method, origin, contentType, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "/api/ramp/checkouts", strings.NewReader(body))
	request.Header.Set("Origin", origin)
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Cookie", "session=demo-session-of-ann")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestCheckoutSignsOwnData(t *testing.T) {
	handler := demoHandler(t)
	response := ask(handler, "POST", shop, "application/json; charset=utf-8",
		`{"widget":"nft","params":{"merchantUniqueId":"print-7","amount":"0.01","walletAddress":"0xbad"}}`)
	if response.Code != http.StatusCreated {
		t.Fatalf("status %d: %s", response.Code, response.Body)
	}
	var got answer
	if err := json.Unmarshal(response.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Params["amount"] != "250" || got.Params["walletAddress"] != shopWallet {
		t.Errorf("values of the proposal were signed: %v", got.Params)
	}
	if got.Params["ext"] != got.Reference || len(got.Reference) != 22 || len(got.Params["signature"]) != 44 {
		t.Errorf("reference or signature is wrong: %v", got)
	}
	if _, ok := got.Params["walletAddressTag"]; ok {
		t.Error("an empty value was sent")
	}
	kept, ok := handler.store.find(got.Reference)
	if !ok || kept.userID != "ann" || kept.params["amount"] != "250" {
		t.Errorf("the terms are not stored: %v", kept)
	}
}

func TestCheckoutIgnoresOtherFields(t *testing.T) {
	const body = `{"widget":"on-ramp","selection":{"defaultCurrency":"ETH","amount":"5"},"subject":"user-1"}`
	response := ask(demoHandler(t), "POST", shop, "application/json", body)
	if response.Code != 201 || strings.Contains(response.Body.String(), "defaultCurrency") {
		t.Errorf("got %d %s, want 201", response.Code, response.Body)
	}
}

func TestCheckoutRefuses(t *testing.T) {
	const good = `{"widget":"on-ramp"}`
	const number = `{"widget":"nft","params":{"mintQuantity":1}}`
	cases := []struct {
		name, method, origin, contentType, body string
		status                                  int
		code                                    string
	}{
		{"a DELETE", "DELETE", shop, "application/json", "", 405, "ERR_METHOD_NOT_ALLOWED"},
		{"another origin", "POST", "https://other.example", "application/json", good, 403, "ERR_ORIGIN_REFUSED"},
		{"no origin", "POST", "", "application/json", good, 403, "ERR_ORIGIN_REFUSED"},
		{"a form", "POST", shop, "text/plain", good, 415, "ERR_CONTENT_TYPE"},
		{"a large body", "POST", shop, "application/json",
			strings.Repeat(" ", maxBodyBytes+1), 413, "ERR_BODY_TOO_LARGE"},
		{"malformed JSON", "POST", shop, "application/json", "{", 400, "ERR_REQUEST"},
		{"two JSON values", "POST", shop, "application/json", good + "{}", 400, "ERR_REQUEST"},
		{"a number", "POST", shop, "application/json", number, 400, "ERR_PARAMS_INVALID"},
		{"an unknown widget", "POST", shop, "application/json", `{"widget":"other"}`, 400, "ERR_PARAMS_INVALID"},
		{"a name that is not signed", "POST", shop, "application/json",
			`{"widget":"on-ramp","params":{"amount":"1"}}`, 400, "ERR_PARAMS_INVALID"},
		{"a reference of the page", "POST", shop, "application/json",
			`{"widget":"on-ramp","params":{"ext":"1"}}`, 400, "ERR_PARAMS_INVALID"},
		{"an unknown listing", "POST", shop, "application/json", `{"widget":"nft"}`, 403, "ERR_POLICY_REFUSED"},
	}
	handler := demoHandler(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			response := ask(handler, c.method, c.origin, c.contentType, c.body)
			if response.Code != c.status || !strings.Contains(response.Body.String(), `"`+c.code+`"`) {
				t.Errorf("got %d %s, want %d %s", response.Code, response.Body, c.status, c.code)
			}
		})
	}
}

func TestMissingSettingIsNamed(t *testing.T) {
	_, _, err := newHandler(func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "SHOP_ORIGIN") {
		t.Errorf("got %v", err)
	}
}
