package main

import (
	"fmt"
	"net/http"

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
	shopWallet   = "0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf" // receives the price of an NFT
	shopContract = "0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA"
)

// sessions has the user of each session. The cookie has a random token, never the name of a user.
var sessions = map[string]string{"demo-session-of-ann": "ann", "demo-session-of-bob": "bob"}

var wallets = map[string]string{
	"ann": "0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e",
	"bob": "0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06",
}

// findUser returns the user of the session, or "" if nobody is signed in.
func findUser(r *http.Request) string {
	cookie, err := r.Cookie("session")
	if err != nil {
		return ""
	}
	return sessions[cookie.Value]
}

// listings are the items for sale, by merchantUniqueId.
var listings = map[string]map[string]string{
	"print-7": {"type": "MINT", "mintQuantity": "1", "amount": "250"},
	"print-8": {"type": "MINT", "mintQuantity": "2", "amount": "0.050"},
	"original-17": {
		"type":               "MARKET",
		"tokenId":            "17",
		"ownerWalletAddress": "0x0Dc0B1ACBc3f252BEdC87fF4AdfAa36DD0840164",
		"amount":             "99.5",
	},
}

// decide returns the parameters to sign. The proposal is untrusted, so its values only select a listing and are never
// signed.
func decide(userID string, widget signer.Widget, proposal map[string]string) (grant, error) {
	if userID == "" {
		return grant{}, refusal("Sign in to buy.")
	}
	switch widget {
	case signer.OnRamp:
		params := map[string]string{"walletAddress": wallets[userID], "walletAddressLocked": "1"}
		return grant{userID: userID, params: params}, nil
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
			"transferWalletAddress": wallets[userID],
		}
		for name, value := range listing {
			params[name] = value
		}
		return grant{userID: userID, params: params}, nil
	default:
		return grant{}, fmt.Errorf("no policy for the widget %q: add a case to decide", string(widget))
	}
}
