"""Reads the signed order list, which is the only proof that a checkout was paid, and delivers each paid one once."""

import json
import logging
import sqlite3
import urllib.request
from contextlib import closing, contextmanager
from os import environ

from signing import api_headers

DAY = 86_400
TABLES = """
create table if not exists checkouts (reference text primary key, user text, params text, at integer);
create table if not exists deliveries (reference text primary key, order_id text, body text);
create table if not exists reviews (order_id text, reason text, reference text, primary key (order_id, reason));
create table if not exists webhooks (digest text primary key, at integer);
create table if not exists readings (id integer primary key, until integer);
"""


@contextmanager
def transaction():
    """Commits at the end, or rolls back if the block fails. Each has its own connection, for any thread."""
    with closing(sqlite3.connect(environ.get("RAMP_DATABASE", "ramp.sqlite"), timeout=15)) as db, db:
        db.row_factory = sqlite3.Row
        db.execute("begin immediate")
        yield db


def sync(now):
    """Reads all orders since the last complete reading. An order is listed by its finish time, perhaps late."""
    with transaction() as db:
        until = db.execute("select max(until) from readings").fetchone()[0]
    start = now - 7 * DAY if until is None else until - 7200
    is_complete = True
    while start < now:
        end = min(start + DAY, now)
        is_complete = read(start, end) and is_complete
        start = end
    if not is_complete:
        raise RuntimeError("it has fewer orders than its totalCount")
    with transaction() as db:
        db.execute("insert or replace into readings values (1, ?)", (now,))


def read(start, end):
    """Books the orders of a range. Returns whether there were as many as the service counts.

    A page may have fewer orders than requested, so the number of pages says nothing.
    """
    seen, count, page = set(), 1, 1
    while len(seen) < count:
        data = request_orders(f"startTime={start}&endTime={end}&page={page}&size=20")
        count, known, page = int(data["totalCount"]), len(seen), page + 1
        for order in data["list"] or []:
            seen.add(order["orderId"])
            with transaction() as db:
                book(db, order)
        if len(seen) == known:
            break
    return len(seen) >= count


def request_orders(query):
    url = f"{environ['RAMP_API_URL'].rstrip('/')}/open/api/onramp/order?{query}"
    headers = api_headers(url, environ["RAMP_PARTNER_ID"], environ["RAMP_API_PRIVATE_KEY"])
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as response:
        # Numbers stay text, so that amounts keep their digits.
        body = json.loads(response.read(), parse_float=str, parse_int=str)
    if body["code"] != "10000":
        raise RuntimeError(f"the service responded with code {body['code']}")
    return body["data"]


def book(db, order):
    """Delivers a checkout's first order that matches its terms. Every other order is for the staff."""
    order_id, reference = order["orderId"], order.get("ext") or ""
    checkout = db.execute("select * from checkouts where reference = ?", (reference,)).fetchone()
    delivered = db.execute("select order_id from deliveries where reference = ?", (reference,)).fetchone()
    if checkout is None:
        reason = "no-checkout"  # it was lost, or another system sells under this partner ID
    elif order["orderStatus"] != "3":
        reason = "unknown-status"  # perhaps a delivered order was refunded
    elif delivered:
        reason = None if delivered["order_id"] == order_id else "second-order"
    elif order.get("nftDetails"):
        reason = "widget"
    else:
        # The policy locks the wallet. The case of a hexadecimal address is only a checksum.
        wallet = json.loads(checkout["params"])["walletAddress"]
        reason = None if str(order.get("walletAddress")).lower() == wallet.lower() else "wallet"
    if reason:
        # A person must look at it, because it may be paid.
        row = (order_id, reason, reference)
        if db.execute("insert or ignore into reviews values (?, ?, ?)", row).rowcount:
            logging.error("Review order %s: %s", order_id, reason)
    elif not delivered:
        # Give the user what was paid here, in this transaction. The key of the table lets it happen once.
        db.execute("insert into deliveries values (?, ?, ?)", (reference, order_id, json.dumps(order)))
        logging.info("Deliver order %s to %s", order_id, checkout["user"])
