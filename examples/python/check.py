"""Checks that the signer agrees with docs/signing-vectors.json, and that invalid input is refused.

    python3 check.py [path of signing-vectors.json]
"""

import hashlib
import json
import logging
import os
import sqlite3
import sys
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import signing
from orders import OrderPoller, describe, find_mismatch
from policy import PolicyRefused, decide
from server import RequestRefused, parse_proposal
from store import Store

passed, failed = 0, 0


def same(name, expected, found):
    global passed, failed
    if expected == found:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}\n  expected {expected!a}\n  got      {found!a}")


def refuses(name, error, call, *arguments):
    try:
        call(*arguments)
        same(name, error, None)
    except Exception as raised:  # the type is what is checked
        same(name, error, type(raised))


def check_widget(vectors):
    for i, entry in enumerate(vectors["ext"]):
        same(f"ext {i}", entry["encoded"], signing.encode_component(entry["value"]))
    for i, entry in enumerate(vectors["widget"]):
        text = signing.widget_text(entry["params"])
        same(f"widget {i} text", entry["text"], text)
        same(f"widget {i} signature", entry["signature"], signing.widget_signature(text, entry["secretKey"]))
    for value in ("a&b", "a=b", "a%b", "a+b", "a#b", "a?b", "a b", "a\n", "\u00e4", "a" * 513):
        arguments = ("on-ramp", {"walletAddress": value}, "demo-partner", "demonstration-key")
        refuses(f"signed value {value[:9]!a}", signing.SigningError, signing.sign_widget, *arguments)
    arguments = ("on-ramp", {"walletAddress": "0x1", "amount": "1"}, "demo-partner", "demonstration-key")
    refuses("unsigned parameter", signing.SigningError, signing.sign_widget, *arguments)
    refuses("half of a surrogate pair", signing.SigningError, signing.encode_component, "\ud800")


def check_api(entries, keys):
    signer = signing.ApiSigner("demo-partner", keys["apiPrivateKey"])
    for i, entry in enumerate(entries):
        text = signing.api_text(entry["method"], entry["url"], entry["headers"])
        same(f"api {i} text", entry["text"], text)
        same(f"api {i} signature", entry["signature"], signer.signature(text))
    for query in ("b=c%26d", "b=1&b=2", "b=%zz", "b=%ED%A0%80"):
        refuses(f"api {query}", signing.SigningError, signer.headers, f"https://api.example/a?{query}")
    refuses("api key malformed", signing.SigningError, signing.ApiSigner, "demo-partner", "no key")


def check_webhooks(entries, keys):
    for i, entry in enumerate(entries):
        url = urlsplit(entry["url"])
        headers = list(entry["headers"].items())
        now = int(entry["headers"]["X-Fp-Timestamp"])
        verifier = signing.WebhookVerifier(entry["url"].partition("?")[0], keys["webhookPublicKey"])
        if not entry["valid"]:
            refuses(f"webhook {i} forged", signing.WebhookRefused, verifier.verify, headers, url.query, now)
            continue
        digest = hashlib.sha256(entry["text"].encode()).hexdigest()
        same(f"webhook {i}", digest, verifier.verify(headers, url.query, now))
        same(f"webhook {i} 300 s late", digest, verifier.verify(headers, url.query, now + 300))
        others = [(name, value) for name, value in headers if name != "X-Fp-Signature"]
        signature = entry["headers"]["X-Fp-Signature"]
        refused = {
            "301 s late": (headers, url.query, now + 301),
            "301 s early": (headers, url.query, now - 301),
            "with an added header": ([*headers, ("X-Fp-Extra", "1")], url.query, now),
            "with a header twice": ([*headers, ("x-fp-nonce", "1")], url.query, now),
            "with a comma": ([*headers, ("X-Fp-Extra", "1, 1")], url.query, now),
            "with an underscore": ([*headers, ("X-Fp-Ex_tra", "1")], url.query, now),
            "without a signature": (others, url.query, now),
            "in another spelling": ([*others, ("X-Fp-Signature", signature.rstrip("="))], url.query, now),
            "with another query": (headers, "tenant=other", now),
            "with a query parameter named like a header": (headers, "X-FP-NONCE=1", now),
        }
        for name, arguments in refused.items():
            refuses(f"webhook {i} {name}", signing.WebhookRefused, verifier.verify, *arguments)


def check_shop():
    bodies = {
        "malformed JSON": b"{",
        "two JSON values": b"{}{}",
        "an unknown widget": b'{"widget":"other"}',
        "a number": b'{"widget":"nft","params":{"mintQuantity":1}}',
        "an unsigned name": b'{"widget":"on-ramp","params":{"amount":"1"}}',
        "a reference": b'{"widget":"on-ramp","params":{"ext":"1"}}',
    }
    for name, body in bodies.items():
        refuses(f"proposal with {name}", RequestRefused, parse_proposal, body)
    same("other fields are ignored", ("on-ramp", {}), parse_proposal(b'{"widget":"on-ramp","selection":{"a":"1"}}'))
    refuses("an unknown listing", PolicyRefused, decide, "ann", "nft", {})
    refuses("nobody is signed in", PolicyRefused, decide, None, "on-ramp", {})
    proposal = {"merchantUniqueId": "print-7", "amount": "1"}
    same("the price is the shop's", "250", decide("ann", "nft", proposal)["amount"])
    params = decide("ann", "on-ramp", {})
    checkout = {"reference": "r", "user": "ann", "widget": "on-ramp", "params": params, "created_at": 0}
    wallet = params["walletAddress"]
    same("the same wallet", None, find_mismatch({"walletAddress": wallet.lower()}, "on-ramp", checkout))
    same("another wallet", "walletAddress", find_mismatch({"walletAddress": "0x1"}, "on-ramp", checkout))
    same("an NFT", "widget", find_mismatch({"nftDetails": [{}]}, "nft", checkout))
    order = {"state": "finished", "orderId": "1", "review": None, "walletAddress": wallet}
    for progress, orders in {
        "waiting": [],
        "finished": [order],
        "settled": [{**order, "state": "settled", "changed_at": 1}, order],
        "review": [{**order, "review": "walletAddress"}],
    }.items():
        same(progress, progress, describe(checkout, orders, 1)["progress"])
    same("no wallet is shown", False, wallet in json.dumps(describe(checkout, [order], 1)))
    same("expired", "expired", describe(checkout, [], 86_401)["progress"])


class ListedOrders(OrderPoller):
    """Reads orders from a list in place of the service, which returns at most `limit` on a page."""

    def __init__(self, store, orders, limit):
        super().__init__("https://api.example", None, store, 60)
        self.orders, self.limit = orders, limit

    def _request(self, url):
        page = int(parse_qs(urlsplit(url).query)["page"][0])
        first = (page - 1) * self.limit
        # All orders have finished in the newest range.
        newest = url.split("endTime=")[1].split("&")[0] == str(NOW)
        orders = self.orders if newest else []
        return {"totalCount": str(len(orders)), "list": orders[first : first + self.limit]}


NOW = 1_800_000_000


def check_orders():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/shop.sqlite"
        store = Store(path)
        terms = {"walletAddress": "0x1", "walletAddressLocked": "1"}
        for reference in ("once", "twice", "wrong", "unknown", "undone"):
            store.keep(reference, "ann", "on-ramp", terms, NOW)
        store.keep("nft", "ann", "nft", {"tokenId": "7"}, NOW)
        crypto = {"orderStatus": "3", "walletAddress": "0x1", "finishTime": str(NOW)}
        nft = {"orderStatus": "1", "nftDetails": [{"tokenId": "7"}], "finishTime": str(NOW), "ext": "nft"}
        orders = [
            {**crypto, "orderId": "o1", "ext": "once"},
            {**crypto, "orderId": "o2", "ext": "twice"},
            {**crypto, "orderId": "o3", "ext": "twice"},
            {**crypto, "orderId": "o4", "ext": "wrong", "walletAddress": "0x2"},
            {**crypto, "orderId": "o5", "ext": "unknown", "orderStatus": "99"},
            {**crypto, "orderId": "o6", "ext": "undone"},
            {**crypto, "orderId": "o7", "ext": "of another system"},
            {**nft, "orderId": "n1"},
            {**nft, "orderId": "n2"},
        ]
        poller = ListedOrders(store, orders, 2)
        poller.sync(NOW)
        orders[5]["orderStatus"] = "99"
        poller.sync(NOW)
        with sqlite3.connect(path) as db:
            delivered = [row[0] for row in db.execute("select order_id from deliveries order by order_id")]
            reviews = [": ".join(row) for row in db.execute("select * from reviews order by order_id")]
        same("each checkout is delivered once, from pages of two orders", ["n1", "o1", "o2", "o6"], delivered)
        same("every other order is for the staff", [
            "n2: second-order", "o3: paid again", "o4: walletAddress", "o5: unknown status 99", "o6: unknown status 99",
            "o7: unmatched",
        ], reviews)
        poller.limit = 0
        refuses("a list without its orders", RuntimeError, poller.sync, NOW)


if __name__ == "__main__":
    default = Path(__file__).parent / "../../docs/signing-vectors.json"
    path = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SIGNING_VECTORS", default))
    if not path.is_file():
        sys.exit(f"{path} does not exist. Pass the path of signing-vectors.json as the first argument.")
    logging.disable()
    vectors = json.loads(path.read_text(encoding="utf-8"))
    check_widget(vectors)
    check_api(vectors["api"], vectors["keys"])
    check_webhooks(vectors["webhook"], vectors["keys"])
    for entry in vectors["signedBody"]:
        print(f"skipped: {entry['name']} (signed bodies are not supported)")
    check_shop()
    check_orders()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
