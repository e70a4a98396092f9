"""Decides what to sell to whom. REPLACE IT: sessions, wallets and listings are fixed for demonstration."""

from http.cookies import CookieError, SimpleCookie

# Your session store. The cookie has a random token, never the name of a user.
SESSIONS = {"demo-session-of-ann": "ann", "demo-session-of-bob": "bob"}
WALLETS = {
    "ann": "0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e",
    "bob": "0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06",
}
LISTINGS = {
    "print-7": {"type": "MINT", "mintQuantity": "1", "amount": "250"},
    "print-8": {"type": "MINT", "mintQuantity": "2", "amount": "0.050"},
    "original-17": {
        "type": "MARKET",
        "tokenId": "17",
        "ownerWalletAddress": "0x0Dc0B1ACBc3f252BEdC87fF4AdfAa36DD0840164",
        "amount": "99.5",
    },
}


class PolicyRefused(Exception):
    """A refused checkout. The message is shown to the shopper."""


def find_user(cookies):
    """Returns the user of the session, or None if nobody is signed in."""
    try:
        session = SimpleCookie(cookies).get("session")
    except CookieError:
        return None
    return session and SESSIONS.get(session.value)


def decide(user, widget, proposal):
    """Returns the parameters to sign. The proposal is untrusted: it only names a listing, and is never signed."""
    if user is None:
        raise PolicyRefused("Sign in to buy.")
    if widget == "on-ramp":
        return {"walletAddress": WALLETS[user], "walletAddressLocked": "1"}
    listing = proposal.get("merchantUniqueId", "")
    if listing not in LISTINGS:
        raise PolicyRefused("This item is not for sale.")
    return {
        **LISTINGS[listing],
        "merchantUniqueId": listing,
        "contractAddress": "0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA",
        "nftNetwork": "polygon",
        "cryptoCurrency": "POL_Polygon",
        "walletAddress": "0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf",  # the shop's wallet, which receives the price
        "walletAddressTag": "",  # this chain has no tags
        "transferWalletAddress": WALLETS[user],
    }
