import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { caseFiles, readCases } from '../../src/cli/conformance/cases.js';
import { createLoopbackClient } from '../../src/cli/conformance/loopbackClient.js';
import { conformance } from '../../src/cli/conformance.js';
import { runCli } from '../../src/cli/runCli.js';
import { fakeCommandIo } from './fakeCommandIo.js';

const commands = { conformance: async () => conformance };
const RUN_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'partner-ramp-conformance-'));
const shoppers = join(folder, 'shoppers.json');
writeFileSync(shoppers, '[{ "Cookie": "user=ann" }, { "Cookie": "user=bob" }]');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
/** Starts a server that answers every request alike, and counts the requests. */
async function startServer(status: number, headers: Record<string, string> = {}) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(status, headers).end('{}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, count: () => requests };
}

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const io = fakeCommandIo({ env: { ...process.env, ...env, NODE_ENV: 'development' } });
  const code = await runCli(commands, ['conformance', ...args], io);
  return { code, output: io.output() };
}

/** Tests the handler of this package, with a planted mistake. */
async function runHandler(mistake: string, args: readonly string[] = [], env = {}) {
  const url = `http://127.0.0.1:${await findFreePort()}/api/ramp`;
  const backend = ['node', 'test/cli/handlerBackend.mjs', mistake];
  return run(
    [
      ...['--url', url, '--headers', shoppers, '--nft', 'merchantUniqueId=print-7'],
      ...[...args, '--', ...backend],
    ],
    env,
  );
}

describe('conformance', () => {
  it(
    "passes this package's handler, with the deviations of real services too",
    async () => {
      const { code, output } = await runHandler('', ['--json', '--quirks']);
      const { cases, ...counts } = JSON.parse(output);
      expect(cases.filter(({ result }: { result: string }) => result !== 'passed')).toEqual([]);
      expect(counts).toEqual({ passed: readCases().length + 4, failed: 0, skipped: 0 });
      expect(code).toBe(0);
    },
    RUN_MS,
  );

  it.each([
    ['page-wallet', 'page-wallet', 'walletAddress is signed as the page proposed it'],
    ['page-price', 'nft-page-price', 'amount is signed as the page proposed it'],
    ['any-user', 'status-stranger', 'as another shopper: expected status 404, got 200'],
    ['plain-errors', 'unknown-parameter', 'expected the code ERR_PARAMS_INVALID, got none'],
    [
      'other-address',
      'webhook',
      'POST webhook: expected status 200, got 401 ERR_WEBHOOK_VERIFICATION. Verify it with RAMP_WEBHOOK_URL',
    ],
    [
      'no-polling',
      'lost-webhook',
      'the checkout is still waiting after 3 seconds; expected finished. It did not request',
    ],
  ])(
    'names the mistake %s in the case %s',
    async (mistake, id, words) => {
      const wait = mistake === 'no-polling' ? '3' : '60';
      const { code, output } = await runHandler(mistake, ['--only', id, '--wait', wait]);
      expect(output).toMatch(new RegExp(`^FAIL {2}${id} `, 'm'));
      expect(output).toContain(words);
      expect(code).toBe(1);
    },
    RUN_MS,
  );

  it.each([
    [
      'poll-of-others,continue-terms,option-alone,one-list,numbers',
      {
        'poll-stranger': 'as another shopper: the response has "waiting"',
        'continue-same': "walletAddress differs from the checkout's",
        'continue-nft': "walletAddress differs from the checkout's",
        'fiat-currencies': 'currencies has no entry with {"fiatCurrency":"CHF"',
        cryptocurrencies: '?buyType=nft: the response has "USDT_ERC20"',
        quote: 'quote.cryptoCurrencyAmount is not text',
        fields: 'currencies.0.paymentOptions is not as documented',
      },
    ],
    [
      'poll-first-state,continue-new,short-digits',
      {
        'poll-state': 'named.0.progress is waiting; expected finished',
        'continue-same': 'the reference belongs to another checkout',
        quote: "quote.cryptoCurrencyAmount does not keep the service's 8 decimals",
      },
    ],
    [
      'poll-wallet,continue-of-others,no-buy-type',
      {
        'poll-state': 'the response has the wallet',
        'continue-stranger':
          'POST /checkouts/:reference/continue as another shopper: expected status 404, got 200',
        'quote-nft': 'quote.cryptoCurrencyAmount is another value; expected 250',
      },
    ],
    [
      'poll-opens,continue-any-origin,price-errors',
      {
        'poll-unchanged': 'expected status 304, got 200',
        opened: 'the response has the reference',
        'continue-origin': 'continue: expected status 403, got 200',
        'quote-unavailable': 'expected status 422, got 500 ERR_INTERNAL',
        'quote-outage': 'expected status 503, got 500 ERR_INTERNAL',
      },
    ],
    [
      'continue-unread,any-query',
      {
        'continue-outage': 'expected status 409 or 410 or 503, got 200',
        'continue-paid': 'expected status 404 or 405 or 409 or 410, got 200',
        'quote-query': 'expected status 400, got 200',
      },
    ],
  ])(
    'names each of the mistakes %s in the optional routes',
    async (mistakes, words) => {
      // The rule for all responses is no case.
      const only = Object.keys(words).filter((id) => id !== 'fields');
      const { code, output } = await runHandler(mistakes, [
        '--only',
        only.join(','),
        '--wait',
        '8',
      ]);
      for (const [id, difference] of Object.entries(words)) {
        const line = output.split('\n').find((each) => each.startsWith(`FAIL  ${id} `));
        expect(line, output).toContain(difference);
      }
      expect(output).toContain(` ${Object.keys(words).length} failed, 0 skipped`);
      expect(code).toBe(1);
    },
    RUN_MS,
  );

  it(
    'stops when the first checkout does not verify with the keys of its sandbox',
    async () => {
      const { code, output } = await runHandler('other-key');
      expect(output).toContain(
        'FAIL  signed-checkout         POST /checkouts (on-ramp): the service refuses the signed URL: The signature does not match',
      );
      expect(output).toContain('0 passed, 1 failed, 0 skipped');
      expect(code).toBe(1);
    },
    RUN_MS,
  );

  it(
    'follows no redirect',
    async () => {
      const decoy = await startServer(200);
      const { code, output } = await runHandler('redirect', [], { DECOY: `${decoy.port}` });
      expect(output).toContain('redirects with status 307, which is not followed');
      expect(decoy.count()).toBe(0);
      expect(code).toBe(1);
    },
    RUN_MS,
  );

  it(
    'skips what the backend is not prepared for, and says why',
    async () => {
      const url = `http://127.0.0.1:${await findFreePort()}/api/ramp`;
      const backend = ['node', 'test/cli/handlerBackend.mjs'];
      const { code, output } = await run([
        '--url',
        url,
        '--only',
        'checkouts,status',
        '--',
        ...backend,
      ]);
      expect(output).toMatch(/^skip {2}nft-checkout {12}needs an item for sale: --nft$/m);
      expect(output).toMatch(/^skip {2}nft-page-price {10}needs an item for sale: --nft$/m);
      expect(output).toMatch(/^skip {2}status-stranger {9}needs two shoppers: --headers$/m);
      expect(output).toContain(' 0 failed, 4 skipped\n');
      expect(code).toBe(0);
    },
    RUN_MS,
  );

  it(
    'continues a checkout again when the order list could not be read in time',
    async () => {
      const { code, output } = await runHandler('continue-busy', ['--only', 'continue-origin']);
      expect(output).toMatch(/^ok {4}continue-origin /m);
      expect(code).toBe(0);
    },
    RUN_MS,
  );

  it(
    'skips the optional routes that the backend does not have',
    async () => {
      const only = ['--only', 'continue,prices'];
      const { code, output } = await runHandler('fewer-routes', only);
      for (const [id, route] of [
        ['continue-same', 'POST /checkouts/:reference/continue'],
        ['continue-nft', 'POST /checkouts/:reference/continue'],
        ['continue-stranger', 'POST /checkouts/:reference/continue'],
        ['continue-origin', 'POST /checkouts/:reference/continue'],
        ['continue-outage', 'POST /checkouts/:reference/continue'],
        ['fiat-currencies', 'GET /currencies'],
        ['cryptocurrencies', 'GET /cryptocurrencies'],
      ])
        expect(output).toContain(
          `skip  ${id?.padEnd(22)}  ${route}: status 404, so the backend does not have this optional route\n`,
        );
      expect(output).toContain('skip  quote-outage            quote did not pass\n');
      expect(output).toContain('6 passed, 0 failed, 12 skipped\n');
      expect(code).toBe(0);
    },
    RUN_MS,
  );

  it('prints no key when it starts the backend, and the output of one that ends', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/api/ramp`;
    const print = 'console.log("no port"); process.exit(3)';
    const { code, output } = await run(['--url', url, '--', 'node', '-e', print]);
    expect(output).toContain('The backend ended with 3. Its output:\nno port');
    expect(output).not.toContain('PRIVATE KEY');
    expect(code).toBe(2);
  });

  it('prints the variables when somebody else starts the backend', async () => {
    const aborted = new AbortController();
    const io = fakeCommandIo({ signal: aborted.signal });
    const url = `http://127.0.0.1:${await findFreePort()}/api/ramp`;
    const running = runCli(commands, ['conformance', '--url', url], io);
    await expect.poll(io.output, { timeout: 20_000 }).toContain("export RAMP_SECRET_KEY='");
    for (const name of ['SHOP_ORIGIN', 'RAMP_API_URL', 'RAMP_PARTNER_ID', 'RAMP_API_PRIVATE_KEY'])
      expect(io.output()).toContain(`export ${name}='`);
    aborted.abort();
    expect(await running).toBe(1);
  });

  it('tests no program that listens before it has the keys', async () => {
    const { port, count } = await startServer(200);
    const url = `http://127.0.0.1:${port}/api/ramp`;
    for (const rest of [[], ['--', 'node', '-e', '0']]) {
      const { code, output } = await run(['--url', url, ...rest]);
      expect(output).toContain('listens at 127.0.0.1:');
      expect(code).toBe(2);
    }
    expect(count()).toBe(0);
  });

  it.each([
    [['--url', 'http://192.0.2.1/api/ramp'], 'leads to 192.0.2.1, which is not this machine'],
    [['--url', 'http://[::ffff:192.0.2.1]/api/ramp'], 'which is not this machine'],
    [['--url', 'https://127.0.0.1/api/ramp'], 'is http: without query'],
    [['--url', 'http://user:pass@127.0.0.1/'], 'is http: without query'],
    [['--url', 'http://no-such-name.invalid/'], 'no-such-name.invalid is not found'],
    [[], 'Pass the address of your backend as --url.'],
    [['--url', 'http://127.0.0.1', 'python3'], 'Write -- before the command'],
    [['--url', 'http://127.0.0.1', '--'], 'Write a command after --.'],
    [['--url', 'http://127.0.0.1', '--wait', 'soon'], '--wait is a number of seconds'],
    [['--url', 'http://127.0.0.1', '--only', 'chekouts'], 'Unknown case "chekouts"'],
    [['--url', 'http://127.0.0.1', '--nft', 'print-7'], '--nft is NAME=VALUE'],
    [['--url', 'http://127.0.0.1', '--headers', 'missing.json'], 'missing.json cannot be read'],
    [['--url', 'http://127.0.0.1', '--headers', 'package.json'], 'must contain a JSON list'],
  ])('refuses %j', async (args, words) => {
    const { code, output } = await run(args);
    expect(output).toContain(words);
    expect(code).toBe(2);
  });
});

describe('createLoopbackClient', () => {
  const loopback = { address: '127.0.0.1', family: 4 };
  const foreign = { address: '192.0.2.1', family: 4 };

  it('resolves a name once, so that it cannot be rebound to another address', async () => {
    const { port, count } = await startServer(200);
    let lookups = 0;
    const client = await createLoopbackClient(`http://shop.test:${port}/`, async () => {
      lookups += 1;
      return lookups === 1 ? [loopback] : [foreign];
    });
    for (let i = 0; i < 3; i++) expect((await client.send('/')).status).toBe(200);
    expect(await client.isListening()).toBe(true);
    expect(count()).toBe(3);
    expect(lookups).toBe(1);
  });

  it.each([
    ['its only address', [foreign]],
    ['its second address', [loopback, foreign]],
    ['an IPv6 address', [{ address: '2001:db8::1', family: 6 }]],
    ['the address of any interface', [{ address: '0.0.0.0', family: 4 }]],
  ])('refuses a name that leads elsewhere with %s', async (_, addresses) => {
    await expect(createLoopbackClient('http://shop.test/', async () => addresses)).rejects.toThrow(
      'which is not this machine',
    );
  });

  it('accepts every loopback address', async () => {
    for (const host of ['127.0.0.1', '127.8.9.1', '[::1]', 'localhost'])
      await expect(createLoopbackClient(`http://${host}:1/`)).resolves.toBeDefined();
  });
});

describe('the cases', () => {
  const cases = readCases();

  it('have names of their own, and come after those that they need', () => {
    const seen = new Set<string>();
    for (const { id, after = [] } of cases) {
      for (const name of after) expect(seen).toContain(name);
      expect(seen).not.toContain(id);
      seen.add(id);
    }
    expect(cases.length).toBeGreaterThan(30);
  });

  it('are in the package as data', () => {
    for (const name of caseFiles)
      expect(readFileSync(`dist/conformance/${name}.json`, 'utf8')).toBe(
        readFileSync(`src/conformance/${name}.json`, 'utf8'),
      );
  });

  it('link to documents that exist', () => {
    for (const { advice } of cases)
      for (const [, file = '', anchor = ''] of advice.matchAll(/(docs\/[\w-]+\.md)#([\w-]+)/g)) {
        const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
          (text ?? '')
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        );
        expect(headings).toContain(anchor);
      }
  });
});
