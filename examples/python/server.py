"""A backend for the checkout components, with the standard library and the openssl command.

    python3 server.py
"""

import json
import logging
import os
import re
import secrets
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from orders import OrderPoller, describe
from policy import PolicyRefused, decide, find_user
from signing import SIGNED_PARAMS, ApiSigner, WebhookRefused, WebhookVerifier, sign_widget
from store import Store

BASE = "/api/ramp"
MAX_BODY = 16 * 1024
MAX_WEBHOOK = 64 * 1024
# A signature is valid for 300 seconds. The page gets a shorter time, so that it never opens an expired URL.
EXPIRES_IN_SECONDS = 240
# When the page may poll again. A busy backend sends a higher number.
POLL_AFTER_SECONDS = 3
MAX_REFERENCES = 50


class RequestRefused(Exception):
    """A refused request. The message is sent to the page."""

    CODES = {
        400: "ERR_REQUEST",
        403: "ERR_ORIGIN_REFUSED",
        404: "ERR_NOT_FOUND",
        405: "ERR_METHOD_NOT_ALLOWED",
        413: "ERR_BODY_TOO_LARGE",
        415: "ERR_CONTENT_TYPE",
    }

    def __init__(self, status, message, code=None):
        super().__init__(message)
        self.status, self.code = status, code or self.CODES[status]


def setting(name):
    """Returns an environment variable that has no default."""
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set. Set it in the environment.")
    return value


class Shop:
    """The parts of the backend."""

    def __init__(self):
        self.partner_id = setting("RAMP_PARTNER_ID")
        self.secret_key = setting("RAMP_SECRET_KEY")
        self.origins = [origin.strip() for origin in setting("SHOP_ORIGIN").split(",")]
        self.store = Store(os.environ.get("RAMP_DATABASE", "ramp.sqlite"))
        self.webhooks = WebhookVerifier(setting("RAMP_WEBHOOK_URL"), setting("RAMP_WEBHOOK_PUBLIC_KEY"))
        signer = ApiSigner(self.partner_id, setting("RAMP_API_PRIVATE_KEY"))
        poll_seconds = float(os.environ.get("RAMP_POLL_SECONDS", "60"))
        self.poller = OrderPoller(setting("RAMP_API_URL"), signer, self.store, poll_seconds)

    def open_checkout(self, user, body):
        """Decides, stores the terms under a new reference, and signs them with the reference as `ext`."""
        widget, proposal = parse_proposal(body)
        params = decide(user, widget, proposal)
        reference = secrets.token_urlsafe(16)
        self.store.keep(reference, user, widget, params, int(time.time()))
        signed = sign_widget(widget, {**params, "ext": reference}, self.partner_id, self.secret_key)
        return {"reference": reference, "params": signed, "expiresInSeconds": EXPIRES_IN_SECONDS}

    def read_checkout(self, user, reference):
        """Returns the state of a checkout to its owner. To others, it looks like an unknown one."""
        checkout = self.store.find(reference)
        if checkout is None or checkout["user"] != user:
            raise RequestRefused(404, "Checkout not found.", "ERR_CHECKOUT_NOT_FOUND")
        return {**self.describe(checkout), "pollAfterSeconds": POLL_AFTER_SECONDS}

    def describe(self, checkout):
        return describe(checkout, self.store.orders_of(checkout["reference"]), int(time.time()))

    def poll_checkouts(self, user, query):
        """Returns the states of the checkouts that a page names. One of another user is left out, as an unknown one.

        This backend has no list of checkouts, so a page cannot show a history.
        """
        if "references" not in query or query.get("limit", ["0"]) != ["0"]:
            raise RequestRefused(404, "This backend lists no checkouts.")
        references = query["references"][0].split(",")
        if len(references) > MAX_REFERENCES:
            raise RequestRefused(400, "references may have at most 50 references.", "ERR_PARAMS_INVALID")
        found = [self.store.find(reference) for reference in references] if user else []
        named = [self.describe(checkout) for checkout in found if checkout and checkout["user"] == user]
        return {"checkouts": [], "named": named, "pollAfterSeconds": POLL_AFTER_SECONDS}

    def receive_webhook(self, headers, query):
        """Takes a verified webhook as a hint to read the order list. Its body is not signed, so it is not used."""
        now = int(time.time())
        if self.store.is_new_webhook(self.webhooks.verify(headers, query, now), now):
            self.poller.wake()
        return {}


def parse_proposal(body):
    """Returns the widget and the proposed parameters. Other fields are ignored: a later page may send more."""
    try:
        data = json.loads(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise RequestRefused(400, "The body is not a JSON object.")
    widget, params = data.get("widget"), data.get("params", {})
    if widget not in ("on-ramp", "nft"):
        raise RequestRefused(400, '"widget" must be "on-ramp" or "nft".', "ERR_PARAMS_INVALID")
    names = SIGNED_PARAMS[widget] - {"ext"}  # the reference is ours
    if not isinstance(params, dict) or not all(
        name in names and isinstance(value, str) and len(value) <= 512 for name, value in params.items()
    ):
        message = f'"params" must be signed parameters of the {widget} widget, as text of at most 512 characters.'
        raise RequestRefused(400, message, "ERR_PARAMS_INVALID")
    return widget, params


class Handler(BaseHTTPRequestHandler):
    shop: Shop

    def handle_request(self):
        try:
            status, body = self.route()
        except RequestRefused as refused:
            status, body = refused.status, problem(refused.code, str(refused))
        except PolicyRefused as refused:
            status, body = 403, problem("ERR_POLICY_REFUSED", str(refused))
        except WebhookRefused as refused:
            logging.warning("Webhook refused: %s", refused)
            status, body = 401, problem("ERR_WEBHOOK_VERIFICATION", "The webhook was not verified.")
        except Exception:
            # The page must not see the message of an unexpected error.
            logging.exception("The request failed.")
            status, body = 500, problem("ERR_INTERNAL", "The checkout is currently not available.")
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        if status == 405:
            is_list = urlsplit(self.path).path == f"{BASE}/checkouts"
            self.send_header("Allow", "GET, POST" if is_list else "POST")
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def route(self):
        url = urlsplit(self.path)
        status = re.fullmatch(BASE + r"/checkouts/([A-Za-z0-9._-]{1,128})", url.path)
        if self.command == "GET" and status:
            return 200, self.shop.read_checkout(self.find_user(), status[1])
        if self.command == "GET" and url.path == f"{BASE}/checkouts":
            query = parse_qs(url.query, keep_blank_values=True)
            return 200, self.shop.poll_checkouts(self.find_user(), query)
        if url.path == f"{BASE}/checkouts":
            self.require_post()
            self.check_origin()
            return 201, self.shop.open_checkout(self.find_user(), self.read_body(MAX_BODY))
        if url.path == f"{BASE}/webhook":
            self.require_post()
            self.read_body(MAX_WEBHOOK)
            return 200, self.shop.receive_webhook(self.headers.items(), url.query)
        raise RequestRefused(404, "Route not found.")

    def find_user(self):
        return find_user(self.headers.get("Cookie", ""))

    def require_post(self):
        if self.command != "POST":
            raise RequestRefused(405, "Use POST.")

    def check_origin(self):
        """Requires JSON from an own page, so that another site cannot sign with the shopper's cookies."""
        if self.headers.get("Origin") not in self.shop.origins:
            raise RequestRefused(403, "This origin is not allowed. Add it to SHOP_ORIGIN.")
        if self.headers.get_content_type() != "application/json":
            raise RequestRefused(415, "Send Content-Type: application/json.")

    def read_body(self, limit):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            raise RequestRefused(400, "Send the length of the body.")
        if int(length) > limit:
            raise RequestRefused(413, "The body is too large.")
        return self.rfile.read(int(length))

    def log_message(self, *_):
        """Logs no request: a reference identifies a checkout."""


def problem(code, message):
    return {"error": {"code": code, "message": message}}


if __name__ == "__main__":
    Handler.shop = Shop()
    Handler.shop.poller.start()
    # In production, put a proxy with HTTPS and a rate limit before it.
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Handler).serve_forever()
