"""The three signatures of docs/signing.md: the widget URL, requests to the partner API, and webhooks.

RSA needs the `openssl` command, because the standard library has no RSA. No error has a value in it, so that all can
be logged.
"""

import base64
import hashlib
import hmac
import re
import secrets
import subprocess
import tempfile
import time
from urllib.parse import quote, unquote_to_bytes, urlsplit

TOLERANCE_SECONDS = 300

# The signed parameters of each widget. `amount` and `cryptoCurrency` are signed only for NFTs.
SIGNED_PARAMS = {
    "on-ramp": {"ext", "walletAddress", "walletAddressLocked", "walletAddressHidden"},
    "nft": {
        "ext", "contractAddress", "nftNetwork", "type", "tokenId", "ownerWalletAddress", "mintQuantity",
        "transferWalletAddress", "cryptoCurrency", "amount", "walletAddress", "walletAddressTag",
        "merchantUniqueId", "merchantOrderNo", "externalCustomerId",
    },
}


class SigningError(ValueError):
    """Invalid input of a signature: a parameter, an address, a query or a key."""


class WebhookRefused(Exception):
    """A webhook that cannot be trusted, or a wrong clock or configuration. Respond with 401, and log the message."""


def encode_component(text):
    """Encodes like JavaScript's encodeURIComponent, as the service does with `ext` before it signs."""
    try:
        return quote(text, safe="!'()*")
    except UnicodeEncodeError:
        raise SigningError("A text to be encoded is not valid Unicode.") from None


def join_items(items):
    """Joins items as all three signatures need them: `name=value`, sorted by name, without empty ones.

    Values are joined unescaped, so one with `&` or `=` could be read as further items. It is refused, not changed.
    """
    pairs = []
    for name, value in sorted(items.items()):
        if name == "" or value == "":
            continue
        if not name.isascii():
            raise SigningError(f"The name {name!a} has a character outside ASCII. Rename it.")
        if re.search("[&=]", name + value):
            raise SigningError(f"The item {name!a} contains & or =, which cannot be signed.")
        pairs.append(f"{name}={value}")
    return "&".join(pairs)


def widget_text(params):
    """Returns the signed text of a widget URL. Only `ext` is encoded before it is signed."""
    return join_items({**params, "ext": encode_component(params.get("ext", ""))})


def widget_signature(text, secret_key):
    """Returns HMAC-SHA-256 in base64. The 32 raw bytes are encoded, not their hexadecimal form."""
    return base64.b64encode(hmac.new(secret_key.encode(), text.encode(), hashlib.sha256).digest()).decode()


def sign_widget(widget, params, partner_id, secret_key, extra_signed=None):
    """Signs one opening of a checkout now. Returns every signed parameter, plain: the page encodes each value once.

    `extra_signed` are parameters that your service signs although docs/parameters.md does not list them.
    """
    for name, value in params.items():
        if name not in SIGNED_PARAMS[widget]:
            raise SigningError(f"{name!a} is not a signed parameter of {widget}. Remove it.")
        # `ext` may have any text, because it is encoded. Other values must not be ambiguous in a URL.
        if name != "ext" and (not re.fullmatch("[!-~]{0,512}", value) or re.search("[&=%+#?]", value)):
            raise SigningError(f"{name!a} has a character that is not signed, or more than 512. Use A-Z a-z 0-9 . _ -")
    signed = {name: value for name, value in {**params, **(extra_signed or {})}.items() if value != ""}
    signed.update(partnerId=partner_id, timestamp=str(int(time.time())), nonce=create_nonce())
    return {**signed, "signature": widget_signature(widget_text(signed), secret_key)}


def create_nonce():
    """Returns a random integer of six digits."""
    return str(100_000 + secrets.randbelow(900_000))


def request_text(method, address, headers, query):
    """Returns the signed text of a request or a webhook: method, host, path, `?` and the joined items."""
    url = urlsplit(address)
    if not url.hostname:
        raise SigningError("The address is not an absolute URL. Write it with scheme and host.")
    if headers.keys() & query.keys():
        raise SigningError("A query parameter has the name of a signed header. Rename it.")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    if url.port and url.port != {"http": 80, "https": 443}.get(url.scheme):
        host += f":{url.port}"
    return f"{method.upper()}{host}{url.path or '/'}?{join_items({**headers, **query})}"


def parse_query(query):
    """Parses a query, and refuses what two parsers could read differently."""
    items = {}
    for pair in filter(None, query.split("&")):
        if re.search(r"%(?![0-9A-Fa-f]{2})", pair):
            raise SigningError("The query has malformed percent-encoding.")
        try:
            name, value = (unquote_to_bytes(part.replace("+", " ")).decode() for part in pair.partition("=")[::2])
        except UnicodeDecodeError:
            raise SigningError("The query has percent-encoding that is not UTF-8.") from None
        if name in items:
            raise SigningError(f"The query parameter {name!a} occurs twice. Send it once.")
        items[name] = value
    return items


class ApiSigner:
    """Signs requests to the partner API with APIPrivateKey, in PEM. Keep it on the server."""

    def __init__(self, partner_id, private_key):
        self.partner_id = partner_id
        # openssl reads keys from files only. This one can be read by nobody else, and goes with the process.
        self._key = _write_temporary(private_key.encode())
        if _openssl(["pkey", "-in", self._key.name, "-noout"]) is None:
            raise SigningError("APIPrivateKey is not a key in PEM. Set it with its BEGIN and END lines.")

    def headers(self, url):
        """Returns the headers of one GET request to exactly this URL. A retry needs new ones."""
        headers = {
            "X-Fp-Version": "v1.0",
            "X-Fp-Timestamp": str(int(time.time())),
            "X-Fp-Nonce": create_nonce(),
            "X-Fp-Partner-Id": self.partner_id,
        }
        signature = self.signature(api_text("GET", url, headers))
        return {**headers, "Content-Type": "application/json", "X-Fp-Signature": signature}

    def signature(self, text):
        """Returns RSASSA-PKCS1-v1_5 with SHA-256, in base64."""
        raw = _openssl(["dgst", "-sha256", "-sign", self._key.name], text.encode())
        if not raw:
            raise SigningError("openssl could not sign with APIPrivateKey. It must be an RSA key.")
        return base64.b64encode(raw).decode()


def api_text(method, url, headers):
    """Returns the signed text of a request to the partner API. `Content-Type` is not signed."""
    names = ("x-fp-version", "x-fp-timestamp", "x-fp-nonce", "x-fp-partner-id")
    signed = {name.lower(): value for name, value in headers.items() if name.lower() in names}
    return request_text(method, url, signed, parse_query(urlsplit(url).query))


class WebhookVerifier:
    """Verifies webhooks with WebhookPublicKey.

    `address` is the URL that is registered with the service. The host of a request is not used: a proxy may change it,
    and any caller can choose it. The signature does not cover the body, so use a webhook only as a hint.
    """

    def __init__(self, address, public_key):
        self.address = address
        self._key = _write_temporary(public_key.encode())
        if _openssl(["pkey", "-pubin", "-in", self._key.name, "-noout"]) is None:
            raise SigningError("WebhookPublicKey is not a key in PEM. Set it with its BEGIN and END lines.")

    def verify(self, headers, query, now):
        """Returns the SHA-256 of the accepted text. Store it for more than 600 seconds, to recognize a replay.

        `headers` is a list of names and values, so that a header that occurs twice is noticed.
        """
        signed = self._signed_headers(headers)
        signature = signed.pop("x-fp-signature", "")
        try:
            items = parse_query(query)
            if any(name.lower().startswith("x-fp-") for name in items):
                raise WebhookRefused("A query parameter has the name of a header.")
            text = request_text("POST", self.address, signed, items)
        except SigningError as error:
            raise WebhookRefused(str(error)) from None
        self._check_signature(text, signature)
        timestamp = signed.get("x-fp-timestamp", "")
        if not re.fullmatch("[0-9]{10}", timestamp):
            raise WebhookRefused("X-Fp-Timestamp is missing or not a Unix time in seconds.")
        if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
            raise WebhookRefused("X-Fp-Timestamp is more than 300 seconds from this clock. Is it set by NTP?")
        if not re.fullmatch("[0-9]{1,10}", signed.get("x-fp-nonce", "")):
            raise WebhookRefused("X-Fp-Nonce is missing or not a number of one to ten digits.")
        return hashlib.sha256(text.encode()).hexdigest()

    def _signed_headers(self, headers):
        """Returns all X-Fp headers, because the service would also sign headers that it adds in the future."""
        signed = {}
        for name, value in headers:
            name = name.lower()
            if not name.startswith("x-fp-"):
                continue
            if name in signed:
                raise WebhookRefused(f"The header {name!a} occurs twice.")
            # Servers join a repeated header with a comma, which is refused. The signature is checked elsewhere.
            is_plain = name == "x-fp-signature" or re.fullmatch(r"[!-%'-+\--<>-~]*", value)
            if not re.fullmatch("[a-z0-9-]+", name) or not is_plain:
                raise WebhookRefused(f"The header {name!a} has a character that cannot be signed.")
            signed[name] = value
        return signed

    def _check_signature(self, text, signature):
        """Accepts only the standard base64 text, so that a replay cannot look like a new webhook."""
        try:
            raw = base64.b64decode(signature, validate=True)
        except ValueError:
            raw = b""
        if not raw or base64.b64encode(raw).decode() != signature:
            raise WebhookRefused("X-Fp-Signature is missing or not standard base64.")
        with _write_temporary(raw) as file:
            command = ["dgst", "-sha256", "-verify", self._key.name, "-signature", file.name]
            if _openssl(command, text.encode()) is None:
                raise WebhookRefused("X-Fp-Signature does not match. Check WebhookPublicKey and RAMP_WEBHOOK_URL.")


def _write_temporary(content):
    """Writes a file that only this user can read. It is deleted when it is closed."""
    file = tempfile.NamedTemporaryFile(prefix="ramp-")
    file.write(content)
    file.flush()
    return file


def _openssl(arguments, text=b""):
    """Returns the output of the openssl command, or None if it fails."""
    done = subprocess.run(["openssl", *arguments], input=text, capture_output=True, timeout=10)
    return done.stdout if done.returncode == 0 else None
