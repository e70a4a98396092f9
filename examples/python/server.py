"""A shop's backend: signs checkouts, receives webhooks, reads the order list, and shows shoppers their checkouts.

    python3 server.py
"""

import json
import logging
import re
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import environ
from urllib.parse import parse_qs, urlsplit

from orders import DAY, TABLES, sync, transaction
from policy import decide, find_user
from signing import sign_widget, verify_webhook

# The parameters that a page may propose. They are checked but not used.
PROPOSABLE = ("walletAddress", "walletAddressLocked", "walletAddressHidden")
due = threading.Event()


class Refused(Exception):
    """A refused request: the status and the error that the page gets."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


def open_checkout(user, body):
    """Decides, stores the terms under a new reference, and signs them with the reference as `ext`."""
    check_proposal(body)
    if user is None:
        raise Refused(401, "ERR_SIGNED_OUT", "Sign in to buy.")
    params, reference = decide(user), secrets.token_urlsafe(16)
    # Store the terms before the page gets the signature, so that every order finds its terms.
    with transaction() as db:
        row = (reference, user, json.dumps(params), int(time.time()))
        db.execute("insert into checkouts values (?, ?, ?, ?)", row)
    signed = sign_widget({**params, "ext": reference}, environ["RAMP_PARTNER_ID"], environ["RAMP_SECRET_KEY"])
    # A signature is valid for 300 seconds. With less, the page never opens an expired URL.
    return {"reference": reference, "params": signed, "expiresInSeconds": 240}


def check_proposal(body):
    """Refuses malformed requests. Unknown fields are ignored: a later page may send more."""
    try:
        data = json.loads(body)
        widget, params = data.get("widget"), data.get("params", {})
    except (ValueError, AttributeError):
        raise Refused(400, "ERR_REQUEST", "The body is not a JSON object.") from None
    if widget == "nft":
        raise Refused(403, "ERR_POLICY_REFUSED", "This shop sells no NFTs.")
    if widget != "on-ramp" or not isinstance(params, dict):
        raise Refused(400, "ERR_PARAMS_INVALID", '"widget" must be "on-ramp", and "params" an object.')
    for name, value in params.items():
        if name not in PROPOSABLE or not isinstance(value, str) or len(value) > 512:
            message = '"params" has an unknown name, or a value that is not a text of at most 512 characters.'
            raise Refused(400, "ERR_PARAMS_INVALID", message)


def find_checkout(user, reference):
    """Returns what the shopper may see, as docs/http.md defines it, or None. Checkouts of others look unknown."""
    with transaction() as db:
        owned = "select at from checkouts where reference = ? and user = ?"
        checkout = db.execute(owned, (reference, user)).fetchone()
        delivered = db.execute("select body from deliveries where reference = ?", (reference,)).fetchone()
        reviews = db.execute("select reason from reviews where reference = ?", (reference,)).fetchall()
    if checkout is None:
        return None
    reviewed = sum(review["reason"] != "unknown-status" for review in reviews)
    shown = {"reference": reference, "widget": "on-ramp", "orders": []}
    if delivered:
        shown.update(progress="finished", orders=[describe(json.loads(delivered["body"]))])
        if reviewed:
            shown["underReview"] = reviewed
    elif reviews:
        shown["progress"] = "review" if reviewed else "unconfirmed"
    else:
        shown["progress"] = "expired" if time.time() - checkout["at"] > DAY else "waiting"
    return shown


def describe(order):
    """Returns no wallet and no user. docs/http.md lists more fields, all of them optional."""
    names = ("orderId", "fiatCurrency", "currencyAmount", "cryptoCurrency", "cryptoCurrencyAmount", "network")
    return {"state": "finished", **{name: order[name] for name in names if order.get(name)}}


def receive_webhook(headers, query):
    """Takes a genuine webhook as a hint to read the order list. Its body is not signed, so it is not used."""
    now = int(time.time())
    try:
        address, key = environ["RAMP_WEBHOOK_URL"], environ["RAMP_WEBHOOK_PUBLIC_KEY"]
        digest = verify_webhook(address, key, headers, query, now)
    except ValueError as error:
        logging.warning("Webhook refused: %s", error)
        raise Refused(401, "ERR_WEBHOOK_VERIFICATION", "The webhook was not verified.") from None
    with transaction() as db:
        db.execute("delete from webhooks where at < ?", (now - 3600,))
        is_new = db.execute("insert or ignore into webhooks values (?, ?)", (digest, now)).rowcount
    if is_new:
        due.set()
    return {}


def read_orders():
    """Reads the order list at intervals, because a webhook can be lost, and at once after a webhook."""
    while True:
        try:
            sync(int(time.time()))
        except Exception as error:  # the next interval tries again
            logging.error("The order list could not be read: %s", error)
        due.wait(float(environ.get("RAMP_POLL_SECONDS", "60")))
        due.clear()


class Handler(BaseHTTPRequestHandler):
    def handle_request(self):
        try:
            status, body = self.route(urlsplit(self.path), find_user(self.headers.get("Cookie", "")))
        except Refused as refused:
            status, body = refused.status, {"error": {"code": refused.code, "message": str(refused)}}
        except Exception:  # the page must not see the message of an unexpected error
            logging.exception("The request failed.")
            status, body = 500, {"error": {"code": "ERR_INTERNAL", "message": "Currently not available."}}
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = handle_request

    def route(self, url, user):
        route, reference = f"{self.command} {url.path}", url.path.rpartition("/")[2]
        if route == "POST /api/ramp/checkouts":
            # Accept JSON from your own pages only, so that another site cannot sign with the shopper's cookies.
            if self.headers.get("Origin") not in environ["SHOP_ORIGIN"].split(","):
                raise Refused(403, "ERR_ORIGIN_REFUSED", "This origin is not in SHOP_ORIGIN.")
            if self.headers.get_content_type() != "application/json":
                raise Refused(415, "ERR_CONTENT_TYPE", "Send Content-Type: application/json.")
            return 201, open_checkout(user, self.read_body(16 * 1024))
        if route == "POST /api/ramp/webhook":
            self.read_body(64 * 1024)
            return 200, receive_webhook(self.headers.items(), url.query)
        if route == "GET /api/ramp/checkouts":
            query = parse_qs(url.query)
            if "references" not in query or query.get("limit", ["0"]) != ["0"]:
                raise Refused(404, "ERR_NOT_FOUND", "This backend has no list of checkouts.")
            found = [find_checkout(user, each) for each in query["references"][0].split(",")[:50]]
            return 200, {"checkouts": [], "named": [each for each in found if each], "pollAfterSeconds": 3}
        if route == f"GET /api/ramp/checkouts/{reference}":
            found = find_checkout(user, reference)
            if found is None:
                raise Refused(404, "ERR_CHECKOUT_NOT_FOUND", "Checkout not found.")
            return 200, {**found, "pollAfterSeconds": 3}
        raise Refused(404, "ERR_NOT_FOUND", "Route not found.")

    def read_body(self, limit):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > limit:
            raise Refused(413, "ERR_BODY_TOO_LARGE", "The body is too large, or has no length.")
        return self.rfile.read(int(length))

    def log_message(self, *_):
        """Logs no request: a reference identifies a checkout."""


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    with transaction() as db:
        db.executescript(TABLES)
    threading.Thread(target=read_orders, daemon=True).start()
    # In production, put a proxy with HTTPS and a rate limit in front of it.
    ThreadingHTTPServer(("127.0.0.1", int(environ.get("PORT", "8080"))), Handler).serve_forever()
