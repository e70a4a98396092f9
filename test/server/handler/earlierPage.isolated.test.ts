import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import {
  chooseWallet,
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
  type RampHandler,
} from '../../../src/server/index.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import { exchanges, type RecordedExchange } from '../../support/server/earlierRelease.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

const origin = 'https://shop.example';
const [evm = ''] = publishedAddresses.evm.slice(4);
const [bitcoin = ''] = publishedAddresses.bitcoin;

let sandbox: Sandbox;
let handler: RampHandler<undefined>;
let tracker: ReturnType<typeof createOrderTracker>;
const selections: unknown[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ stepMs: 0 });
  const store = memoryOrderStore();
  const api = createPartnerApi({ ...sandbox, privateKey: sandbox.apiPrivateKey });
  tracker = createOrderTracker({ api, store, onOrderChange: null, timers: false });
  handler = createRampHandler({
    signer: createWidgetSigner(sandbox),
    allowedOrigins: [origin],
    api,
    store,
    tracker,
    getSubject: () => 'u1',
    policy: ({ widget, selection }) => {
      selections.push({ ...selection });
      const walletAddress = chooseWallet(selection, { evm, bitcoin });
      return {
        params: widget === 'nft' ? mintListing : { walletAddress, walletAddressLocked: '1' },
        subject: 'u1',
      };
    },
  });
});
afterAll(() => sandbox.close());

/** Maps each reference of the recording to the one that this handler created instead. */
const references = new Map<string, string>();

async function send({ method, path, headers, body }: RecordedExchange['request']) {
  const known = path.replace(/reference-of-checkout-\d/, (name) => references.get(name) ?? name);
  const response = await handler(
    new Request(`${origin}/api/ramp${known}`, {
      method,
      headers: { ...headers, origin },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    undefined,
  );
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return { response, body: await response.json() };
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!/data: .*\n\n/.test(text)) text += decoder.decode((await reader?.read())?.value);
  await reader?.cancel();
  return { response, body: text };
}

const readLastState = (events: unknown) => JSON.parse(`${events}`.split('data: ').at(-1) ?? '');

/** Pays the checkout of the first recorded signature, and syncs. */
async function pay(params: Record<string, string>): Promise<void> {
  const client = createSandboxClient(sandbox, Date.now);
  const url = `${sandbox.widgetUrl}/home?${new URLSearchParams(params)}`;
  const { session } = await client.data(url);
  const choice = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20' };
  await client.post('/home/quote', { session, ...choice });
  const sent = await client.post('/home/orders', { session, ...choice, email: 'a@shop.example' });
  expect(sent.status).toBe(201);
  await expect.poll(() => sandbox.orders().length).toBe(1);
  await tracker.sync();
}

/** Expects that `found` has everything that an earlier page could have read in `known`. */
function expectToCover(found: unknown, known: unknown, path = 'body'): void {
  if (Array.isArray(known)) {
    expect(Array.isArray(found), path).toBe(true);
    known.slice(0, 1).forEach((item) => {
      expectToCover((found as unknown[])[0], item, `${path}[0]`);
    });
  } else if (known !== null && typeof known === 'object') {
    for (const [name, value] of Object.entries(known))
      expectToCover((found as Record<string, unknown>)?.[name], value, `${path}.${name}`);
  } else expect(typeof found, path).toBe(typeof known);
}

describe('the requests of a page of an earlier release', () => {
  const recorded = exchanges.filter(({ request }) => !request.headers['x-later']);

  it('have all its routes', () => {
    const routes = recorded.map(({ request: { method, path } }) =>
      `${method} ${path.replace(/\?.*/, '')}`.replace(/reference-of-checkout-\d/, ':reference'),
    );
    expect([...new Set(routes)].sort()).toEqual([
      'GET /checkouts',
      'GET /checkouts/:reference',
      'GET /checkouts/:reference/events',
      'GET /cryptocurrencies',
      'GET /currencies',
      'GET /quote',
      'POST /checkouts',
      'POST /checkouts/:reference/continue',
    ]);
  });

  it('get responses with everything that the page could read then', async () => {
    let signed: Record<string, string> = {};
    let isPaid = false;
    for (const exchange of recorded) {
      const { request, response: known } = exchange;
      if (JSON.stringify(known.body).includes('finished') && !isPaid) {
        await pay(signed);
        isPaid = true;
      }
      const { response, body } = await send(request);
      expect([request.path, response.status]).toEqual([request.path, known.status]);
      expect(response.headers.get('content-type')).toBe(known.headers['content-type']);
      if (typeof known.body === 'string') {
        expectToCover(readLastState(body), readLastState(known.body));
        expect(readLastState(body).progress).toBe(readLastState(known.body).progress);
        continue;
      }
      expectToCover(body, known.body, request.path);
      if (request.method !== 'POST') continue;
      const { reference } = known.body as { reference: string };
      references.set(reference, body.reference);
      if (reference.endsWith('1')) signed = body.params;
    }
    expect(isPaid).toBe(true);
  });

  it('let the policy choose the wallet for the coin that the widget selects without a choice', async () => {
    expect(selections).toEqual(selections.map(() => ({})));
    const { body } = await send({
      method: 'POST',
      path: '/checkouts',
      headers: { 'content-type': 'application/json' },
      body: { widget: 'on-ramp', params: {} },
    });
    expect(body.params.walletAddress).toBe(evm);
  });
});
