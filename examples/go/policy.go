package main

import (
	"fmt"

	"example.com/ramp-backend/signer"
)

// refusal is the error of a policy that refuses a checkout. Its text is shown to the shopper.
type refusal string

func (r refusal) Error() string { return string(r) }

// grant is the decision of a policy that allows a checkout.
type grant struct {
	userID string
	params map[string]string
}

// These values are fixed for demonstration. Take the user from your session, and the rest from your database.
const (
	demoUserID     = "demo-user"
	demoUserWallet = "0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e"
	shopWallet     = "0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF" // receives the price of an NFT
	shopContract   = "0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da"
)

// listings are the items for sale, by merchantUniqueId.
var listings = map[string]map[string]string{
	"print-7": {"type": "MINT", "mintQuantity": "1", "amount": "250"},
	"print-8": {"type": "MINT", "mintQuantity": "2", "amount": "0.050"},
	"original-17": {
		"type":               "MARKET",
		"tokenId":            "17",
		"ownerWalletAddress": "0x0Dc0B1AcBC3f252Bedc87ff4adfAa36dD0840164",
		"amount":             "99.5",
	},
}

// decide returns the parameters to sign. The proposal is untrusted, so its values only select a listing and are never
// signed.
func decide(widget signer.Widget, proposal map[string]string) (grant, error) {
	switch widget {
	case signer.OnRamp:
		params := map[string]string{"walletAddress": demoUserWallet, "walletAddressLocked": "1"}
		return grant{userID: demoUserID, params: params}, nil
	case signer.NFT:
		id := proposal["merchantUniqueId"]
		listing, ok := listings[id]
		if !ok {
			return grant{}, refusal("This item is not for sale.")
		}
		params := map[string]string{
			"merchantUniqueId":      id,
			"contractAddress":       shopContract,
			"nftNetwork":            "polygon",
			"cryptoCurrency":        "POL_Polygon",
			"walletAddress":         shopWallet,
			"walletAddressTag":      "", // this chain has no tags
			"transferWalletAddress": demoUserWallet,
		}
		for name, value := range listing {
			params[name] = value
		}
		return grant{userID: demoUserID, params: params}, nil
	default:
		return grant{}, fmt.Errorf("no policy for the widget %q: add a case to decide", string(widget))
	}
}
