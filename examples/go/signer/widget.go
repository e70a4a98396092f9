package signer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Widget is one of the two hosted widgets. Each has its own signed parameters.
type Widget string

// The widgets, with their names in requests.
const (
	OnRamp Widget = "on-ramp"
	NFT    Widget = "nft"
)

var (
	textForm     = regexp.MustCompile(`^[\x21-\x7E]+$`)
	codeForm     = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	flagForm     = regexp.MustCompile(`^[01]$`)
	chainForm    = regexp.MustCompile(`^[a-z0-9_-]+$`)
	typeForm     = regexp.MustCompile(`^(MARKET|MINT)$`)
	quantityForm = regexp.MustCompile(`^[1-9][0-9]*$`)
	priceForm    = regexp.MustCompile(`^[0-9]+(\.[0-9]{1,18})?$`)
	anyForm      = regexp.MustCompile(`(?s)^.+$`)
)

// forms has the signed parameters of each widget and the formats of their values. amount and cryptoCurrency are
// signed only for NFTs.
var forms = map[Widget]map[string]*regexp.Regexp{
	OnRamp: {
		"ext":                 anyForm,
		"walletAddress":       textForm,
		"walletAddressLocked": flagForm,
		"walletAddressHidden": flagForm,
	},
	NFT: {
		"ext":                   anyForm,
		"contractAddress":       textForm,
		"nftNetwork":            chainForm,
		"type":                  typeForm,
		"tokenId":               textForm,
		"ownerWalletAddress":    textForm,
		"mintQuantity":          quantityForm,
		"transferWalletAddress": textForm,
		"cryptoCurrency":        codeForm,
		"amount":                priceForm,
		"walletAddress":         textForm,
		"walletAddressTag":      textForm,
		"merchantUniqueId":      textForm,
		"merchantOrderNo":       textForm,
		"externalCustomerId":    textForm,
	},
}

// Proposable reports whether a page may propose the parameter. The reference is the backend's.
func (w Widget) Proposable(name string) bool {
	return name != "ext" && forms[w][name] != nil
}

// Valid reports whether w is a widget of the service.
func (w Widget) Valid() bool {
	return forms[w] != nil
}

// signs reports whether name is a signed parameter of the widget, or the signature itself.
func (w Widget) signs(name string) bool {
	switch name {
	case "partnerId", "timestamp", "nonce", "signature":
		return true
	}
	return forms[w][name] != nil
}

// check refuses parameters that the service would refuse, before they are signed. Empty values count as absent. The
// exception is walletAddressTag: it must always be passed, and is "" for a chain without tags.
func (w Widget) check(params map[string]string) error {
	if !w.Valid() {
		return fmt.Errorf("%q is not a widget: use %q or %q", string(w), OnRamp, NFT)
	}
	if _, ok := params["walletAddressTag"]; w == NFT && !ok {
		return errors.New("\"walletAddressTag\" is missing: pass \"\" for a chain without tags")
	}
	for name, value := range params {
		form := forms[w][name]
		if form == nil {
			return fmt.Errorf("%q is not a signed parameter of %s, or the signer sets it: remove it", name, w)
		}
		if value == "" {
			continue
		}
		if err := checkValue(name, value); err != nil {
			return err
		}
		if !form.MatchString(value) {
			return fmt.Errorf("%q has a wrong format for %s: see the table of parameters", name, w)
		}
	}
	for _, name := range w.required(params["type"]) {
		if params[name] == "" {
			return fmt.Errorf("%q is missing or empty: %s needs it", name, w)
		}
	}
	return nil
}

// required returns the parameters that need a value. walletAddressTag may be empty.
func (w Widget) required(nftType string) []string {
	if w == OnRamp {
		return []string{"walletAddress"}
	}
	names := []string{
		"contractAddress", "nftNetwork", "type", "transferWalletAddress", "cryptoCurrency", "amount", "walletAddress",
	}
	if nftType == "MARKET" {
		return append(names, "tokenId", "ownerWalletAddress")
	}
	return append(names, "mintQuantity")
}

// checkValue refuses values with characters that are ambiguous in a signed text. ext may contain any text, because it
// is encoded before it is signed.
func checkValue(name, value string) error {
	if name == "ext" || value == "" {
		return nil
	}
	if len(value) > 512 || !textForm.MatchString(value) || strings.ContainsAny(value, "&=%+#?") {
		return fmt.Errorf("%q is longer than 512 characters or has one of & = %% + # ?, white space or a character "+
			"outside ASCII: use A-Z a-z 0-9 . _ -", name)
	}
	return nil
}
