"""Reads test cases from standard input, signs them, and prints the signed URLs and headers.

The first argument is the folder of the Python signer.
"""

import json
import sys

sys.path.insert(0, sys.argv[1])
from signing import ApiSigner, encode_component, sign_widget  # noqa: E402

given = json.load(sys.stdin)
urls = []
for case in given["cases"]:
    signed = sign_widget(
        case["widget"], case["params"], given["partnerId"], given["secretKey"], case["extraSigned"]
    )
    items = {**case["unsigned"], **signed}
    pairs = [f"{encode_component(name)}={encode_component(value)}" for name, value in items.items() if value]
    urls.append(f"{given['widgetUrl']}/home?{'&'.join(pairs)}")
signer = ApiSigner(given["partnerId"], given["apiPrivateKey"])
json.dump({"urls": urls, "headers": [signer.headers(url) for url in given["apiUrls"]]}, sys.stdout)
