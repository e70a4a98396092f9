"""Decides who buys what. REPLACE IT: sessions and wallets are fixed for demonstration."""

# Your session store. The cookie contains a random token, never a user's name.
SESSIONS = {"demo-session-of-ann": "ann", "demo-session-of-bob": "bob"}
WALLETS = {
    "ann": "0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e",
    "bob": "0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06",
}


def find_user(cookies):
    """Returns the user of the session, or None if nobody is signed in."""
    pairs = (pair.strip().partition("=") for pair in cookies.split(";"))
    return next((SESSIONS.get(value) for name, _, value in pairs if name == "session"), None)


def decide(user):
    """Returns the parameters to sign: your own values, never those of the page."""
    return {"walletAddress": WALLETS[user], "walletAddressLocked": "1"}
