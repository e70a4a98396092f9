"""Stores checkouts, orders and webhooks in SQLite. Several instances need a database server instead."""

import json
import logging
import sqlite3
from contextlib import closing, contextmanager

TABLES = """
create table if not exists checkouts (
  reference text primary key, user text, widget text, params text, created_at integer);
create table if not exists orders (
  order_id text primary key, reference text, state text, review text, finish_time integer, changed_at integer,
  body text);
create table if not exists deliveries (reference text primary key, order_id text);
create table if not exists reviews (order_id text, reason text, primary key (order_id, reason));
create table if not exists webhooks (digest text primary key, received_at integer);
create table if not exists progress (name text primary key, value integer);
"""

# A later state never gives way to an earlier one, in whatever order they are read.
RANKS = {"finished": 1, "settlement": 2, "settled": 3}
REPLAY_SECONDS = 3600


class Store:
    def __init__(self, path):
        self._path = path
        with self._transaction() as db:
            db.executescript(TABLES)

    @contextmanager
    def _transaction(self):
        """Commits at the end, or rolls back if the block fails. Each use has its own connection, for any thread."""
        with closing(sqlite3.connect(self._path, timeout=15)) as db, db:
            yield db

    def keep(self, reference, user, widget, params, now):
        """Stores the terms of a checkout. Call it before signing, or an order may not find its terms."""
        with self._transaction() as db:
            row = (reference, user, widget, json.dumps(params), now)
            db.execute("insert into checkouts values (?, ?, ?, ?, ?)", row)

    def find(self, reference):
        """Returns the checkout of a reference, or None."""
        with self._transaction() as db:
            row = db.execute("select * from checkouts where reference = ?", (reference,)).fetchone()
        if row is None:
            return None
        _, user, widget, params, created_at = row
        checkout = {"reference": reference, "user": user, "widget": widget, "created_at": created_at}
        return {**checkout, "params": json.loads(params)}

    def record(self, order, checkout, review, now):
        """Records the state of an order that belongs to a checkout. Delivers the first matched order of it, once.

        `review` says why the order must not be delivered, or is None.
        """
        reference, order_id = checkout["reference"], order["orderId"]
        with self._transaction() as db:
            db.execute("begin immediate")
            known = db.execute("select state, review from orders where order_id = ?", (order_id,)).fetchone()
            if known and RANKS[known[0]] >= RANKS[order["state"]]:
                return
            review = known[1] if known and known[1] else review
            if review is None:
                # Book the order here, in this transaction. The primary key lets it happen once for each checkout.
                insert = "insert or ignore into deliveries (reference, order_id) values (?, ?)"
                db.execute(insert, (reference, order_id))
                query = "select order_id from deliveries where reference = ?"
                is_later = db.execute(query, (reference,)).fetchone()[0] != order_id
                # An NFT is sold once. Crypto has arrived twice, which the shopper sees, but may not have wanted.
                review = "second-order" if is_later and checkout["widget"] == "nft" else None
                if is_later and review is None:
                    self._review(db, order_id, "paid again")
            if review is not None:
                self._review(db, order_id, review)
            row = (order_id, reference, order["state"], review, order["finishTime"], now)
            db.execute("insert or replace into orders values (?, ?, ?, ?, ?, ?, ?)", (*row, json.dumps(order)))

    def review(self, order_id, reason):
        """Gives an order to the staff, once for each reason. It may be paid, and must not be delivered by itself."""
        with self._transaction() as db:
            self._review(db, order_id, reason)

    @staticmethod
    def _review(db, order_id, reason):
        if db.execute("insert or ignore into reviews values (?, ?)", (order_id, reason)).rowcount == 1:
            logging.error("Review the order %s: %s", order_id, reason)

    def orders_of(self, reference):
        """Returns the orders of a checkout, oldest first, each with `review` and `changed_at`."""
        with self._transaction() as db:
            query = "select body, review, changed_at from orders where reference = ? order by finish_time, order_id"
            rows = db.execute(query, (reference,)).fetchall()
        return [{**json.loads(body), "review": review, "changed_at": at} for body, review, at in rows]

    def oldest_unsettled(self, since):
        """Returns the finish time of the oldest NFT order that is not settled, or None. Older ones are given up."""
        with self._transaction() as db:
            query = """select min(finish_time) from orders join checkouts using (reference)
              where widget = 'nft' and state <> 'settled' and finish_time > ?"""
            return db.execute(query, (since,)).fetchone()[0]

    def is_new_webhook(self, digest, now):
        """Stores the digest of an accepted webhook. Returns False for a replay."""
        with self._transaction() as db:
            db.execute("delete from webhooks where received_at < ?", (now - REPLAY_SECONDS,))
            return db.execute("insert or ignore into webhooks values (?, ?)", (digest, now)).rowcount == 1

    def read_until(self):
        """Returns the time up to which the order list has been read, or None."""
        with self._transaction() as db:
            row = db.execute("select value from progress where name = 'read_until'").fetchone()
        return row and row[0]

    def set_read_until(self, time):
        with self._transaction() as db:
            db.execute("insert or replace into progress values ('read_until', ?)", (time,))
