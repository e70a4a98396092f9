"""Runs tasks from standard input with the signatures of the example, and prints their results.

The first argument is the folder of the example.
"""

import json
import sys
from urllib.parse import urlsplit

sys.path.insert(0, sys.argv[1])
import signing  # noqa: E402


def widget(params, secretKey):
    text = signing.widget_text(params)
    return {"text": text, "signature": signing.widget_signature(text, secretKey)}


def request(method, url, headers, privateKey):
    text = signing.request_text(method, url, headers, urlsplit(url).query)
    return {"text": text, "signature": signing.rsa_signature(text, privateKey)}


def webhook(address, publicKey, headers, query, now):
    return {"digest": signing.verify_webhook(address, publicKey, headers, query, now)}


tasks = {
    "sign": lambda params, partnerId, secretKey: signing.sign_widget(params, partnerId, secretKey),
    "headers": lambda url, partnerId, privateKey: signing.api_headers(url, partnerId, privateKey),
    "widget": widget,
    "request": request,
    "webhook": webhook,
}


def run(do, **task):
    try:
        return tasks[do](**task)
    except ValueError as error:
        return {"error": str(error)}


json.dump([run(**task) for task in json.load(sys.stdin)], sys.stdout)
