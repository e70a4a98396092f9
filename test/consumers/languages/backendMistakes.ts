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
          'signer/signer.go',
          'sort.Strings(names)',
          'sort.Sort(sort.Reverse(sort.StringSlice(names)))',
        ),
      ],
      PHP: [edit('signing.php', 'ksort($items', 'krsort($items')],
      Python: [edit('signing.py', 'sorted(items.items())', 'sorted(items.items(), reverse=True)')],
    },
  },
  {
    title: 'does not encode ext before it signs',
    id: 'signed-checkout',
    words: 'ext was signed as plain text',
    edits: {
      Go: [
        edit(
          'signer/signer.go',
          '.Replace(url.QueryEscape(items["ext"]))',
          '.Replace(items["ext"])',
        ),
        edit('main.go', ':= base64.RawURL', ':= "order " + base64.RawURL'),
      ],
      PHP: [
        edit('signing.php', "strtr(rawurlencode($params['ext'] ?? ''), $kept)", "$params['ext']"),
        edit('server.php', '$reference = rtrim', "$reference = 'order ' . rtrim"),
      ],
      Python: [
        edit('signing.py', 'quote(params.get("ext", ""), safe="!\'()*")', 'params["ext"]'),
        edit('server.py', ', secrets.token_urlsafe', ', "order " + secrets.token_urlsafe'),
      ],
    },
  },
  {
    title: 'writes the signature in hexadecimal digits',
    id: 'signed-checkout',
    words: 'The signature is hexadecimal, not base64',
    edits: {
      Go: [
        edit(
          'signer/signer.go',
          'base64.StdEncoding.EncodeToString(mac.Sum(nil))',
          'hex.EncodeToString(mac.Sum(nil))',
        ),
      ],
      PHP: [
        edit(
          'signing.php',
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
    title: 'signs the wallet of the page',
    id: 'page-wallet',
    words: 'walletAddress is signed as the page proposed it',
    edits: {
      Go: [
        edit('main.go', '// check refuses', 'var page map[string]string\n\n// check refuses'),
        edit(
          'main.go',
          '\tfor name, value := range body',
          '\tpage = body.Params\n\tfor name, value := range body',
        ),
        edit(
          'main.go',
          '\tparams["ext"] = reference\n',
          '\tfor name, value := range page {\n\t\tparams[name] = value\n\t}\n\tparams["ext"] = reference\n',
        ),
      ],
      PHP: [
        edit(
          'server.php',
          '= decide($user);',
          "= [...decide($user), ...json_decode((string) file_get_contents('php://input'), true)['params'] ?? []];",
        ),
      ],
      Python: [
        edit(
          'server.py',
          '= decide(user),',
          '= {**decide(user), **json.loads(body).get("params", {})},',
        ),
      ],
    },
  },
  {
    title: 'signs for pages of other sites',
    id: 'other-origin',
    words: 'POST /checkouts: expected status 403, got 201',
    edits: {
      Go: [edit('main.go', 'if origin == "" || !strings', 'if origin == "" && !strings')],
      PHP: [edit('server.php', 'if (!in_array($_SERVER', 'if (false && !in_array($_SERVER')],
      Python: [
        edit(
          'server.py',
          'if self.headers.get("Origin") not in environ["SHOP_ORIGIN"].split(","):',
          'if False:',
        ),
      ],
    },
  },
  {
    title: 'shows a checkout to strangers',
    id: 'status-stranger',
    words: 'GET /checkouts/:reference as another shopper: expected status 404, got 200',
    edits: {
      Go: [edit('main.go', ' || user == "" || c.user != user', '')],
      PHP: [
        edit('server.php', ' and user = ?', ''),
        edit('server.php', 'query($owned, $reference, $user)', 'query($owned, $reference)'),
      ],
      Python: [
        edit('server.py', ' and user = ?', ''),
        edit(
          'server.py',
          'db.execute(owned, (reference, user))',
          'db.execute(owned, (reference,))',
        ),
      ],
    },
  },
  {
    title: 'signs requests to the order list wrongly',
    id: 'lost-webhook',
    words:
      'the service refused the request (10003 Signature error: The header x-fp-version was not signed',
    edits: {
      Go: [
        edit('signer/signer.go', '"x-fp-version": "v1.0", ', ''),
        edit(
          'signer/signer.go',
          '"X-Fp-Signature": {signature}}',
          '"X-Fp-Signature": {signature}, "X-Fp-Version": {"v1.0"}}',
        ),
      ],
      PHP: [
        edit('signing.php', "        'x-fp-version' => 'v1.0',\n", ''),
        edit(
          'signing.php',
          "'Content-Type' => 'application/json'",
          "'x-fp-version' => 'v1.0', 'Content-Type' => 'application/json'",
        ),
      ],
      Python: [
        edit('signing.py', '"version": "v1.0", ', ''),
        edit(
          'signing.py',
          '"Content-Type": "application/json"',
          '"x-fp-version": "v1.0", "Content-Type": "application/json"',
        ),
      ],
    },
  },
  {
    title: 'reads the order list only for webhooks',
    id: 'lost-webhook',
    words: 'It did not request /open/api/onramp/order of RAMP_API_URL',
    edits: {
      Go: [
        edit('orders.go', 'time.After(pause)', 'time.After(pause * 1000)'),
        edit(
          'orders.go',
          '\tfor {\n\t\tif err := s.sync',
          '\t<-s.due\n\tfor {\n\t\tif err := s.sync',
        ),
      ],
      PHP: [
        edit('orders.php', "(getenv('RAMP_POLL_SECONDS') ?: 60)", '1000'),
        edit(
          'orders.php',
          'while (true) {\n',
          'while ($newestWebhook() === null) {\n    usleep(100_000);\n}\nwhile (true) {\n',
        ),
      ],
      Python: [
        edit('server.py', 'due.wait(float(environ.get("RAMP_POLL_SECONDS", "60")))', 'due.wait()'),
        edit('server.py', '    while True:\n', '    due.wait()\n    while True:\n'),
      ],
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
      Go: [edit('orders.go', 'case !strings.EqualFold(', 'case false && !strings.EqualFold(')],
      PHP: [edit('orders.php', "?? '') === 0 ? null : 'wallet'", "?? '') === 0 ? null : null")],
      Python: [edit('orders.py', '== wallet.lower() else "wallet"', '== wallet.lower() else None')],
    },
  },
  {
    title: 'accepts a webhook with any signature',
    id: 'webhook-forged',
    words: 'POST webhook: expected status 401, got 200',
    edits: {
      Go: [edit('signer/signer.go', 'if !isRSASignature(', 'if false && !isRSASignature(')],
      PHP: [
        edit('signing.php', 'if (!$isStandard || openssl', 'if (!$isStandard || false && openssl'),
      ],
      Python: [
        edit('signing.py', 'if not is_rsa_signature(', 'if False and not is_rsa_signature('),
      ],
    },
  },
  {
    title: 'accepts an old webhook',
    id: 'webhook-old',
    words: 'POST webhook: expected status 401, got 200',
    edits: {
      Go: [edit('signer/signer.go', 'age > 300 ||', 'age > 3000000 ||')],
      PHP: [edit('signing.php', '$timestamp) > 300)', '$timestamp) > 3000000)')],
      Python: [edit('signing.py', '(timestamp)) > 300:', '(timestamp)) > 3000000:')],
    },
  },
  {
    title: 'takes a replay for a new webhook',
    id: 'webhook-repeated',
    words: 'a replay is accepted as new',
    edits: {
      Go: [edit('main.go', 'if isReplay {', 'if false && isReplay {')],
      PHP: [edit('server.php', "(?, ?)', $digest, time())", "(?, ?)', uniqid(), time())")],
      Python: [edit('server.py', '    if is_new:\n', '    if is_new or True:\n')],
    },
  },
  {
    title: 'takes the body of a webhook for an order',
    id: 'webhook-forged-body',
    words: 'the checkout is finished; expected waiting or unconfirmed',
    edits: {
      Go: [
        edit(
          'main.go',
          '\tselect {\n\tcase s.due',
          '\tvar o order\n\t_ = json.NewDecoder(r.Body).Decode(&o)\n\tgo s.book(o)\n\tselect {\n\tcase s.due',
        ),
      ],
      PHP: [
        edit(
          'server.php',
          '    return new stdClass();',
          "    $order = json_decode((string) file_get_contents('php://input'), true);\n    query('insert or ignore into deliveries values (?, ?, ?)', $order['ext'], $order['orderId'], json_encode($order));\n    return new stdClass();",
        ),
      ],
      Python: [
        edit(
          'server.py',
          '            self.read_body(64 * 1024)\n',
          '            body = self.read_body(64 * 1024)\n',
        ),
        edit(
          'server.py',
          '            return 200, receive_webhook',
          '            with transaction() as db:\n                book(db, json.loads(body, parse_float=str, parse_int=str))\n            return 200, receive_webhook',
        ),
        edit('server.py', 'import DAY, TABLES, sync,', 'import DAY, TABLES, book, sync,'),
      ],
    },
  },
];
