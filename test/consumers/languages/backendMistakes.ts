interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A mistake of backends, and what `partner-ramp conformance` says about it. */
interface BackendMistake {
  readonly title: string;
  /** The case that fails. */
  readonly id: string;
  readonly words: string;
  /** How to make the mistake in the example of each language. */
  readonly edits: Readonly<Record<'Go' | 'PHP' | 'Python', readonly Edit[]>>;
}

const edit = (file: string, from: string, to: string): Edit => ({ file, from, to });

export const backendMistakes: readonly BackendMistake[] = [
  {
    title: 'signs the items in another order',
    id: 'signed-checkout',
    words: 'The items were sorted in descending order',
    edits: {
      Go: [
        edit(
          'signer/items.go',
          'sort.Strings(names)',
          'sort.Sort(sort.Reverse(sort.StringSlice(names)))',
        ),
      ],
      PHP: [edit('items.php', 'ksort($items', 'krsort($items')],
      Python: [edit('signing.py', 'sorted(items.items())', 'sorted(items.items(), reverse=True)')],
    },
  },
  {
    title: 'does not encode ext before it signs',
    id: 'signed-checkout',
    words: 'ext was signed as plain text',
    edits: {
      Go: [
        edit('signer/signer.go', 'items["ext"] = ext\n', '_ = ext\n'),
        edit('checkouts.go', 'return base64.RawURL', 'return "order " + base64.RawURL'),
      ],
      PHP: [
        edit('signer.php', "encodeComponent($params['ext'])", "$params['ext']"),
        edit('checkouts.php', '$reference = rtrim', "$reference = 'order ' . rtrim"),
      ],
      Python: [
        edit('signing.py', 'encode_component(params.get("ext", ""))', 'params.get("ext", "")'),
        edit('server.py', '= secrets.token_urlsafe', '= "order " + secrets.token_urlsafe'),
      ],
    },
  },
  {
    title: 'writes the signature in hexadecimal digits',
    id: 'signed-checkout',
    words: 'The signature is hexadecimal, not base64',
    edits: {
      Go: [
        edit('signer/signer.go', 'base64.StdEncoding.EncodeToString', 'hex.EncodeToString'),
        edit('signer/signer.go', '"encoding/base64"', '"encoding/hex"'),
      ],
      PHP: [
        edit(
          'signer.php',
          "base64_encode(hash_hmac('sha256', $text, $secretKey, true))",
          "hash_hmac('sha256', $text, $secretKey)",
        ),
      ],
      Python: [
        edit('signing.py', 'return base64.b64encode(hmac.new(', 'return (hmac.new('),
        edit('signing.py', 'hashlib.sha256).digest()).decode()', 'hashlib.sha256).hexdigest())'),
      ],
    },
  },
  {
    title: 'signs the price of the page',
    id: 'nft-page-price',
    words: 'amount is signed as the page proposed it',
    edits: {
      Go: [
        edit(
          'policy.go',
          'params[name] = value\n\t\t}',
          'params[name] = value\n\t\t}\n\t\tif proposal["amount"] != "" {\n\t\t\tparams["amount"] = proposal["amount"]\n\t\t}',
        ),
      ],
      PHP: [
        edit(
          'policy.php',
          '...$item,',
          "...$item, ...array_intersect_key($proposal, ['amount' => '']),",
        ),
      ],
      Python: [
        edit(
          'policy.py',
          '**LISTINGS[listing],',
          '**LISTINGS[listing], **{name: proposal[name] for name in proposal if name == "amount"},',
        ),
      ],
    },
  },
  {
    title: 'signs for pages of other sites',
    id: 'other-origin',
    words: 'POST /checkouts: expected status 403, got 201',
    edits: {
      Go: [edit('checkouts.go', 'if !h.allowedOrigins[r.Header.Get("Origin")] {', 'if false {')],
      PHP: [edit('checkouts.php', 'if (!in_array($origin', 'if (false && !in_array($origin')],
      Python: [
        edit('server.py', 'if self.headers.get("Origin") not in self.shop.origins:', 'if False:'),
      ],
    },
  },
  {
    title: 'shows a checkout to strangers',
    id: 'status-stranger',
    words: 'GET /checkouts/:reference as another shopper: expected status 404, got 200',
    edits: {
      Go: [edit('status.go', ' || c.userID != findUser(r)', '')],
      PHP: [edit('server.php', " || $checkout['userId'] !== findUser($_COOKIE)", '')],
      Python: [edit('server.py', ' or checkout["user"] != user', '')],
    },
  },
  {
    title: 'signs requests to the order list wrongly',
    id: 'lost-webhook',
    words:
      'the service refused the request (10003 Signature error: The header x-fp-version was not signed',
    edits: {
      Go: [
        edit(
          'signer/api.go',
          '[]string{"X-Fp-Version", "X-Fp-Timestamp"',
          '[]string{"X-Fp-Timestamp"',
        ),
      ],
      PHP: [edit('api.php', "['x-fp-version', 'x-fp-timestamp'", "['x-fp-timestamp'")],
      Python: [edit('signing.py', '("x-fp-version", "x-fp-timestamp"', '("x-fp-timestamp"')],
    },
  },
  {
    title: 'reads the order list only for webhooks',
    id: 'lost-webhook',
    words: 'It did not request /open/api/onramp/order of RAMP_API_URL',
    edits: {
      Go: [edit('orders.go', 'time.After(p.pause)', 'time.After(p.pause * 1000)')],
      PHP: [
        edit('sync.php', "(getenv('RAMP_POLL_SECONDS') ?: 60)", '1000'),
        edit(
          'sync.php',
          'do {\n',
          'while (!$store->takeRequest()) {\n    usleep(100_000);\n}\ndo {\n',
        ),
      ],
      Python: [edit('orders.py', 'self._due.wait(self._poll_seconds)', 'self._due.wait()')],
    },
  },
  {
    title: 'reads only the first page of the order list',
    id: 'other-orders',
    words: 'the checkout is still waiting after 6 seconds; expected finished',
    edits: {
      Go: [edit('orders.go', 'page := 1; len(seen) < count', 'page := 1; page == 1')],
      PHP: [edit('orders.php', 'count($seen) < $count; $page++', '$page === 1; $page++')],
      Python: [edit('orders.py', 'while len(seen) < count', 'while page == 1')],
    },
  },
  {
    title: 'does not compare the wallet of an order',
    id: 'changed-wallet',
    words: 'the checkout is finished; expected review',
    edits: {
      Go: [edit('orders.go', 'if locked && !same', 'if false && locked && !same')],
      PHP: [
        edit('orders.php', 'return $isLocked && !isSame', 'return false && $isLocked && !isSame'),
      ],
      Python: [edit('orders.py', 'locked = "1" in', 'locked = False and "1" in')],
    },
  },
  {
    title: 'accepts a webhook with any signature',
    id: 'webhook-forged',
    words: 'POST webhook: expected status 401, got 200',
    edits: {
      Go: [edit('signer/webhook.go', 'sum, raw) != nil {', 'sum, raw) != nil && false {')],
      PHP: [edit('webhook.php', 'OPENSSL_ALGO_SHA256) !== 1', 'OPENSSL_ALGO_SHA256) === 2')],
      Python: [edit('signing.py', '        self._check_signature(text, signature)\n', '')],
    },
  },
  {
    title: 'accepts an old webhook',
    id: 'webhook-old',
    words: 'POST webhook: expected status 401, got 200',
    edits: {
      Go: [edit('signer/webhook.go', '300 * time.Second', '3000000 * time.Second')],
      PHP: [edit('webhook.php', 'TOLERANCE_SECONDS = 300', 'TOLERANCE_SECONDS = 3000000')],
      Python: [edit('signing.py', 'TOLERANCE_SECONDS = 300', 'TOLERANCE_SECONDS = 3000000')],
    },
  },
  {
    title: 'takes a replay for a new webhook',
    id: 'webhook-repeated',
    words: 'a replay is accepted as new',
    edits: {
      Go: [edit('webhooks.go', 'isNewWebhook(digest, now) {', 'isNewWebhook(digest, now); true {')],
      PHP: [
        edit(
          'server.php',
          'isNewWebhook($digest, time())',
          'isNewWebhook($digest, time()) || true',
        ),
      ],
      Python: [edit('server.py', 'query, now), now):', 'query, now), now) or True:')],
    },
  },
  {
    title: 'takes the body of a webhook for an order',
    id: 'webhook-forged-body',
    words: 'the checkout is finished; expected waiting or unconfirmed',
    edits: {
      Go: [
        edit('webhooks.go', 'import (\n', 'import (\n\t"encoding/json"\n'),
        edit(
          'webhooks.go',
          '\twriteJSON(w, http.StatusOK',
          '\tvar o order\n\t_ = json.NewDecoder(r.Body).Decode(&o)\n\th.poller.record(o, now)\n\twriteJSON(w, http.StatusOK',
        ),
      ],
      PHP: [
        edit(
          'server.php',
          '    if ($store->isNewWebhook',
          "    $order = json_decode((string) file_get_contents('php://input'), true);\n    $record = ['order' => $order, 'state' => 'finished', 'review' => null, 'changedAt' => time()];\n    $store->record($order['ext'], $record);\n    if ($store->isNewWebhook",
        ),
      ],
      Python: [
        edit(
          'server.py',
          '            self.read_body(MAX_WEBHOOK)\n',
          '            body = self.read_body(MAX_WEBHOOK)\n',
        ),
        edit(
          'server.py',
          '            return 200, self.shop.receive_webhook',
          '            order = json.loads(body, parse_float=str, parse_int=str)\n            self.shop.poller._record(order, int(time.time()))\n            return 200, self.shop.receive_webhook',
        ),
      ],
    },
  },
];
