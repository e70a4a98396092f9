package signer

import (
	"fmt"
	"strings"
	"testing"
)

const demoWallet = "0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e"

func demoSigner(t *testing.T) *WidgetSigner {
	t.Helper()
	signer, err := NewWidgetSigner("demo-partner", "demonstration-key")
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

func TestSignKeepsZeroAndDropsEmpty(t *testing.T) {
	params := map[string]string{"walletAddress": demoWallet, "walletAddressLocked": "0", "ext": ""}
	signed, err := demoSigner(t).Sign(OnRamp, params, map[string]string{"7": "1", "timeout": ""})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"partnerId", "timestamp", "nonce", "walletAddress", "walletAddressLocked", "7"} {
		if signed[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{"ext", "timeout"} {
		if _, ok := signed[name]; ok {
			t.Errorf("%s is empty and was not dropped", name)
		}
	}
	signature := signed["signature"]
	delete(signed, "signature")
	text, err := widgetText(signed)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "signature", widgetSignature(text, "demonstration-key"), signature)
}

func TestSignRefuses(t *testing.T) {
	cases := map[string]struct {
		params, extra map[string]string
	}{
		"no wallet":             {},
		"an unsigned parameter": {params: map[string]string{"walletAddress": demoWallet, "amount": "1"}},
		"a nonce of the caller": {params: map[string]string{"walletAddress": demoWallet, "nonce": "1"}},
		"a flag that is 2":      {params: map[string]string{"walletAddress": demoWallet, "walletAddressLocked": "2"}},
		"ext that is not UTF-8": {params: map[string]string{"walletAddress": demoWallet, "ext": "\xed\xa0\x80"}},
		"an extra name outside ASCII": {
			params: map[string]string{"walletAddress": demoWallet},
			extra:  map[string]string{"é": "1"},
		},
		"a documented name as extra": {
			params: map[string]string{"walletAddress": demoWallet},
			extra:  map[string]string{"walletAddressLocked": "1"},
		},
	}
	refused := []string{"a&b", "a=b", "a%b", "a+b", "a#b", "a?b", "a b", "a\n", "ä", strings.Repeat("a", 513)}
	for _, value := range refused {
		c := cases["no wallet"]
		c.params = map[string]string{"walletAddress": value}
		cases[fmt.Sprintf("%.4q", value)] = c
	}
	for name, c := range cases {
		if _, err := demoSigner(t).Sign(OnRamp, c.params, c.extra); err == nil {
			t.Errorf("%s was signed", name)
		}
	}
}

func TestSignRequiresWalletAddressTag(t *testing.T) {
	params := map[string]string{
		"contractAddress": "0x2", "nftNetwork": "polygon", "type": "MINT", "mintQuantity": "1",
		"transferWalletAddress": "0x3", "cryptoCurrency": "ETH", "amount": "0.05", "walletAddress": demoWallet,
	}
	if _, err := demoSigner(t).Sign(NFT, params, nil); err == nil {
		t.Error("an NFT checkout without walletAddressTag was signed")
	}
	params["walletAddressTag"] = ""
	signed, err := demoSigner(t).Sign(NFT, params, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := signed["walletAddressTag"]; ok {
		t.Error("an empty walletAddressTag was not dropped")
	}
}

func TestURLRefusesSignedParameterAsUnsigned(t *testing.T) {
	if _, err := URL("https://pay.example", NFT, nil, map[string]string{"amount": "1"}); err == nil {
		t.Error("amount of an NFT was sent unsigned")
	}
}

func TestAPIRefuses(t *testing.T) {
	signer, err := NewAPISigner("demo-partner", readVectors(t).Keys.APIPrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	refused := []string{"https://api.example/a?b=c%26d", "https://api.example/a?b=1&b=2", "/a", "https://%zz"}
	for _, address := range refused {
		if _, err := signer.Headers(address); err == nil {
			t.Errorf("%s was signed", address)
		}
	}
	if _, err := NewAPISigner("demo-partner", "no key"); err == nil {
		t.Error("a malformed key was accepted")
	}
}

func TestSecretsStayOutOfText(t *testing.T) {
	signer := demoSigner(t)
	text := fmt.Sprintf("%v %+v %#v %s", signer, signer, signer, signer)
	if strings.Contains(text, "demonstration-key") {
		t.Error("the SecretKey is in the printed signer")
	}
	_, err := NewWidgetSigner("demo-partner", "demonstration-key\n")
	if err == nil || strings.Contains(err.Error(), "demonstration-key") {
		t.Errorf("a SecretKey with a line break: %v", err)
	}
}
