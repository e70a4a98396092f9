"""Reads the signed order list, which is the only proof that a checkout was paid."""

import json
import logging
import threading
import time
import urllib.request

DAY = 86_400
LOOKBACK_SECONDS = 7200  # an order may be listed late
FIRST_LOOKBACK_SECONDS = 7 * DAY
SETTLEMENT_SECONDS = 30 * DAY
PAGE_SIZE = 20
STATES = {"on-ramp": {3: "finished"}, "nft": {1: "finished", 2: "settlement", 3: "settled"}}

# The signed fields of an NFT that its order returns.
NFT_FIELDS = (
    "contractAddress", "nftNetwork", "type", "tokenId", "ownerWalletAddress", "mintQuantity", "transferWalletAddress",
    "merchantUniqueId", "merchantOrderNo", "externalCustomerId",
)


class OrderPoller:
    """Reads the order list at intervals, and at once when a webhook says that there is something to read."""

    def __init__(self, api_url, signer, store, poll_seconds):
        self._url = f"{api_url.rstrip('/')}/open/api/onramp/order"
        self._signer = signer
        self._store = store
        self._poll_seconds = poll_seconds
        self._due = threading.Event()

    def start(self):
        threading.Thread(target=self._run, daemon=True).start()

    def wake(self):
        self._due.set()

    def _run(self):
        while True:
            self._due.wait(self._poll_seconds)
            self._due.clear()
            try:
                self.sync(int(time.time()))
            except Exception as error:  # the next interval tries again
                logging.error("The order list could not be read: %s", error)

    def sync(self, now):
        """Reads all orders since the last complete reading. An order is listed by its finish time."""
        since = self._store.read_until()
        start = now - FIRST_LOOKBACK_SECONDS if since is None else since - LOOKBACK_SECONDS
        unsettled = self._store.oldest_unsettled(now - SETTLEMENT_SECONDS)
        start = min(start, unsettled or start)
        complete = True
        while start < now:
            end = min(start + DAY, now)
            complete = self._read(start, end, now) and complete
            start = end
        if not complete:
            raise RuntimeError("it has fewer orders than its totalCount")
        self._store.set_read_until(now)

    def _read(self, start, end, now):
        """Records the orders of a range, page by page. Returns whether there were as many as the service counts.

        A page may have fewer orders than requested, so the number of pages says nothing.
        """
        seen, page, count = set(), 1, 1
        while len(seen) < count:
            data = self._request(f"{self._url}?startTime={start}&endTime={end}&page={page}&size={PAGE_SIZE}")
            count = int(data["totalCount"])
            known = len(seen)
            for order in data["list"] or []:
                seen.add(order["orderId"])
                self._record(order, now)
            if len(seen) == known:
                break
            page += 1
        return len(seen) >= count

    def _request(self, url):
        request = urllib.request.Request(url, headers=self._signer.headers(url))
        with urllib.request.urlopen(request, timeout=10) as response:
            # Numbers stay text, so that amounts keep their digits.
            body = json.loads(response.read(), parse_float=str, parse_int=str)
        if body["code"] != "10000":
            raise RuntimeError(f"the service responded with code {body['code']}")
        return body["data"]

    def _record(self, order, now):
        checkout = self._store.find(order.get("ext") or "")
        kind = "nft" if order.get("nftDetails") else "on-ramp"
        state = STATES[kind].get(int(order["orderStatus"]))
        if checkout is None:
            # The checkout was lost, or another system sells under this partner ID.
            self._store.review(order["orderId"], "unmatched")
        elif state is None:
            # It may mean anything, also that a finished order was paid back.
            self._store.review(order["orderId"], f"unknown status {order['orderStatus']}")
        else:
            order = {**order, "state": state, "finishTime": int(order["finishTime"])}
            self._store.record(order, checkout, find_mismatch(order, kind, checkout), now)


def find_mismatch(order, kind, checkout):
    """Returns how an order differs from the terms of its checkout, or None. A different order is never delivered."""
    params = checkout["params"]
    if kind != checkout["widget"]:
        return "widget"
    if kind == "nft":
        details = order["nftDetails"]
        if len(details) != 1:
            return "nftDetails"
        differs = (name for name in NFT_FIELDS if params.get(name) and not _same(params[name], details[0].get(name)))
        return next(differs, None)
    locked = "1" in (params.get("walletAddressLocked"), params.get("walletAddressHidden"))
    return "walletAddress" if locked and not _same(params["walletAddress"], order.get("walletAddress")) else None


def _same(term, found):
    """Compares two values. The case of a hexadecimal address is only a checksum."""
    if found is None:
        return False
    return term.lower() == found.lower() if term.startswith("0x") else term == found


def describe(checkout, orders, now):
    """Returns what the shopper may see of a checkout, as docs/http.md defines it. No wallet, and no user."""
    matched = [order for order in orders if not order["review"]]
    review = len(orders) - len(matched)
    if matched:
        progress = max((order["state"] for order in matched), key=["finished", "settlement", "settled"].index)
    elif review:
        progress = "review"
    else:
        progress = "expired" if now - checkout["created_at"] > DAY else "waiting"
    shown = {"reference": checkout["reference"], "widget": checkout["widget"], "progress": progress}
    shown["orders"] = [_describe_order(order) for order in matched]
    if matched and review:
        shown["underReview"] = review
    return shown


def _describe_order(order):
    names = (
        "state", "orderId", "fiatCurrency", "currencyAmount", "cryptoCurrency", "cryptoCurrencyAmount", "network",
    )
    shown = {name: order[name] for name in names if order.get(name)}
    if order.get("txHash"):
        shown["transactionHash"] = order["txHash"]
        shown["transactionUrl"] = order["blockchainExplorer"] + order["txHash"]
    times = {name: int(order.get(name) or 0) for name in ("payTime", "deliverTime", "finishTime")}
    shown.update({name: value for name, value in times.items() if value})
    if order["state"] != "finished":
        shown["changedAt"] = order["changed_at"]
    return shown
