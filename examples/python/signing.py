"""The three signatures of docs/signing.md: the widget URL, requests to the partner API, and webhooks.

Raises a ValueError for what cannot be signed or trusted. RSA needs the `openssl` command, because Python has no RSA.
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


def join_items(items):
    """Joins items as `name=value`, sorted by name, without empty ones.

    Values are joined unescaped, so one with `&` or `=` could be read as further items. It is refused, not changed.
    """
    items = {name: value for name, value in items.items() if name and value}
    for name, value in items.items():
        if not name.isascii() or re.search("[&=]", name + value):
            raise ValueError(f"The item {name!a} has &, = or a name outside ASCII.")
    return "&".join(f"{name}={value}" for name, value in sorted(items.items()))


def stamp():
    return str(int(time.time())), str(100_000 + secrets.randbelow(900_000))


def widget_text(params):
    # Encodes like JavaScript's encodeURIComponent, as the service does with `ext` before it signs.
    return join_items({**params, "ext": quote(params.get("ext", ""), safe="!'()*")})


def widget_signature(text, secret_key):
    """Returns HMAC-SHA-256 in base64. The 32 raw bytes are encoded, not their hexadecimal form."""
    return base64.b64encode(hmac.new(secret_key.encode(), text.encode(), hashlib.sha256).digest()).decode()


def sign_widget(params, partner_id, secret_key):
    """Signs one opening of a checkout now. The values stay plain: the page encodes each of them once."""
    timestamp, nonce = stamp()
    signed = {name: value for name, value in params.items() if value}
    signed.update(partnerId=partner_id, timestamp=timestamp, nonce=nonce)
    return {**signed, "signature": widget_signature(widget_text(signed), secret_key)}


def request_text(method, address, headers, query):
    """Returns the signed text of a request or a webhook: method, host, path, `?` and the joined items."""
    url = urlsplit(address)
    host = url.netloc.lower().removesuffix({"http": ":80", "https": ":443"}[url.scheme])
    return f"{method}{host}{url.path or '/'}?{join_items({**headers, **parse_query(query)})}"


def parse_query(query):
    """Refuses what two parsers could read differently, or could take for a header."""
    items = {}
    for pair in filter(None, query.split("&")):
        name, value = (unquote_to_bytes(part.replace("+", " ")).decode() for part in pair.partition("=")[::2])
        if re.search("%(?![0-9A-Fa-f]{2})", pair) or name in items or name.lower().startswith("x-fp-"):
            raise ValueError("The query is malformed, has a name twice, or has the name of a header.")
        items[name] = value
    return items


def api_headers(url, partner_id, private_key):
    """Returns the headers of one GET request to exactly this URL. A retry needs new ones."""
    timestamp, nonce = stamp()
    headers = {"version": "v1.0", "timestamp": timestamp, "nonce": nonce, "partner-id": partner_id}
    signed = {f"x-fp-{name}": value for name, value in headers.items()}
    signature = rsa_signature(request_text("GET", url, signed, urlsplit(url).query), private_key)
    return {**signed, "x-fp-signature": signature, "Content-Type": "application/json"}


def verify_webhook(address, public_key, headers, query, now):
    """Returns the SHA-256 of the accepted text. Store it for more than 600 seconds, to recognize a replay.

    `address` is the URL that is registered with the service: the sender chooses the host of the request. `headers`
    are pairs, so that one that occurs twice is noticed. The signature does not cover the body.
    """
    signed = {}
    for name, value in ((name.lower(), value) for name, value in headers if name.lower().startswith("x-fp-")):
        # The service signs all of them, even one that it adds in the future. A comma joins a repeated header.
        is_plain = name == "x-fp-signature" or re.fullmatch(r"[!-%'-+\--<>-~]*", value)
        if name in signed or not re.fullmatch("[a-z0-9-]+", name) or not is_plain:
            raise ValueError(f"The header {name!a} occurs twice, or has a character that cannot be signed.")
        signed[name] = value
    signature = signed.pop("x-fp-signature", "")
    text = request_text("POST", address, signed, query)
    if not is_rsa_signature(text, signature, public_key):
        raise ValueError("X-Fp-Signature does not match. Check WebhookPublicKey and RAMP_WEBHOOK_URL.")
    timestamp = signed.get("x-fp-timestamp", "")
    if not re.fullmatch("[0-9]{10}", timestamp) or abs(now - int(timestamp)) > 300:
        raise ValueError("X-Fp-Timestamp is missing, or more than 300 seconds from this clock. Is it set by NTP?")
    if not re.fullmatch("[0-9]{1,10}", signed.get("x-fp-nonce", "")):
        raise ValueError("X-Fp-Nonce is missing or not a number of one to ten digits.")
    return hashlib.sha256(text.encode()).hexdigest()


def rsa_signature(text, private_key):
    """Returns RSASSA-PKCS1-v1_5 with SHA-256, in base64."""
    with write_temporary(private_key.encode()) as key:
        raw = run_openssl(text, "-sign", key.name)
    if not raw:
        raise ValueError("openssl could not sign. APIPrivateKey must be an RSA key in PEM.")
    return base64.b64encode(raw).decode()


def is_rsa_signature(text, signature, public_key):
    raw = base64.b64decode(signature)
    # Only the standard text is accepted, so that a replay cannot look like a new webhook.
    if base64.b64encode(raw).decode() != signature:
        return False
    with write_temporary(public_key.encode()) as key, write_temporary(raw) as file:
        return run_openssl(text, "-verify", key.name, "-signature", file.name) is not None


def write_temporary(content):
    """openssl reads keys from files only. This one can be read by nobody else, and is deleted when it is closed."""
    file = tempfile.NamedTemporaryFile(prefix="ramp-")
    file.write(content)
    file.flush()
    return file


def run_openssl(text, *options):
    """Returns the output, or None if the command fails."""
    command = ["openssl", "dgst", "-sha256", *options]
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=10)
    return done.stdout if done.returncode == 0 else None
