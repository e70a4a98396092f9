package main

import "net/http"

// REPLACE THIS FILE: it decides who buys what. Sessions and wallets are fixed for demonstration.

// sessions is your session store. The cookie contains a random token, never a user's name.
var sessions = map[string]string{"demo-session-of-ann": "ann", "demo-session-of-bob": "bob"}

var wallets = map[string]string{
	"ann": "0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e",
	"bob": "0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06",
}

// findUser returns the user of the session, or "" if nobody is signed in.
func findUser(r *http.Request) string {
	if cookie, err := r.Cookie("session"); err == nil {
		return sessions[cookie.Value]
	}
	return ""
}

// decide returns the parameters to sign: your own values, never those of the page.
func decide(user string) map[string]string {
	return map[string]string{"walletAddress": wallets[user], "walletAddressLocked": "1"}
}
