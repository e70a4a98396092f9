import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { arbitraryParams } from '../support/server/arbitraryParams.js';
import { origin } from '../support/server/createTestHandler.js';
import { createWebhook, webhookUrl } from '../support/server/createWebhook.js';
import { runsAllCases } from '../support/server/sampleCases.js';
import {
  type Condition,
  conditionNames,
  createHandlerWorld,
  type SentRequest,
  syncSecret,
} from './handlerWorld.js';

/** At least this many random requests are sent. */
const REQUESTS = runsAllCases ? 10_000 : 300;

type World = Awaited<ReturnType<typeof createHandlerWorld>>;

let sandbox: Sandbox;
let world: World;
beforeAll(async () => {
  sandbox = await startSandbox({ stepMs: 0, log: () => {} });
  world = await createHandlerWorld(sandbox);
});
afterAll(() => sandbox?.close());

const page = { origin, 'content-type': 'application/json', 'x-user': 'u1' };
const job = { authorization: `Bearer ${syncSecret}` };
const QUOTE = '/quote?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=ETH';

const createSignedWebhook = (body: object = {}): SentRequest => {
  const timestamp = Math.floor(Date.now() / 1000);
  const { method, headers, body: bytes } = createWebhook({ url: webhookUrl, timestamp, body });
  return { method, target: '/webhook', headers, body: bytes as Uint8Array<ArrayBuffer> };
};

/** A request to each route that a right backend grants. */
const createRequests = (): readonly SentRequest[] => [
  ...[{ widget: 'on-ramp' }, { widget: 'nft', params: { type: 'MARKET' } }].map((body) => ({
    method: 'POST',
    target: '/checkouts',
    headers: page,
    body: JSON.stringify(body),
  })),
  ...[
    '/checkouts',
    '/checkouts?references=waiting,paid,other&limit=2',
    '/currencies',
    '/cryptocurrencies',
    QUOTE,
  ].map((target) => ({ method: 'GET', target, headers: page })),
  ...['waiting', 'paid', 'other', 'expired', 'missing'].flatMap((reference) => [
    { method: 'GET', target: `/checkouts/${reference}`, headers: page },
    { method: 'POST', target: `/checkouts/${reference}/opened`, headers: page },
    { method: 'POST', target: `/checkouts/${reference}/continue`, headers: page },
  ]),
  createSignedWebhook(),
  ...['GET', 'POST'].map((method) => ({ method, target: '/sync', headers: job })),
];

/** Changes that make a request wrong as HTTP. */
const mistakes: Record<string, (sent: SentRequest) => SentRequest> = {
  method: (sent) => ({ ...sent, method: 'DELETE' }),
  origin: (sent) => ({ ...sent, headers: { ...sent.headers, origin: 'https://evil.example' } }),
  'content type': (sent) => ({
    ...sent,
    headers: { ...sent.headers, 'content-type': 'text/plain' },
  }),
  'body that is no JSON': (sent) => ({ ...sent, body: '{' }),
  'body that is a list': (sent) => ({ ...sent, body: '[]' }),
  'large body': (sent) => ({ ...sent, body: 'x'.repeat(65 * 1024) }),
  'unknown parameter': (sent) => ({ ...sent, target: `${sent.target.split('?')[0]}?x=1` }),
  'unknown cursor': (sent) => ({ ...sent, target: `${sent.target.split('?')[0]}?cursor=x` }),
  secret: (sent) => ({ ...sent, headers: { ...sent.headers, authorization: 'Bearer x' } }),
};

/** Sends a request, and returns what the document lacks in the response. */
async function findDrift(condition: Condition, sent: SentRequest): Promise<string[]> {
  const handler = world.createHandler(condition);
  const exchanges = [await world.exchange(handler, sent)];
  if (condition === 'none') {
    // Send it again, as a page that has the response: it may be cached, unchanged or a replay now.
    const tag = exchanges[0]?.headers.get('etag');
    const headers = { ...sent.headers, ...(tag && { 'if-none-match': tag }) };
    exchanges.push(await world.exchange(handler, { ...sent, headers }));
  }
  return exchanges
    .flatMap((exchange) => world.contract.findDrift(exchange))
    .map((drift) => `${condition}: ${drift}`);
}

const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];

/** Mostly one of the values that a right request has, otherwise any text. */
const mostly = (...values: readonly string[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.string({ maxLength: 80 }) },
  );

/** Usually `undefined`. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** The method and path of a route, or of none. */
const arbitraryRoute = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['POST', '/checkouts'] as const) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(
        ...([
          '/checkouts',
          '/currencies',
          '/cryptocurrencies',
          '/quote',
          '/quote',
          '/sync',
        ] as const),
      )
      .map((path) => ['GET', path] as const),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.oneof({ weight: 5, arbitrary: fc.nat() }, { weight: 1, arbitrary: fc.string() }),
        fc.constantFrom('', '/opened', '/continue'),
      )
      .map(([name, end]) => {
        const { references } = world;
        const reference = typeof name === 'string' ? name : references[name % references.length];
        const path = `/checkouts/${encodeURIComponent(reference ?? '')}${end}`;
        return [end === '' ? 'GET' : 'POST', path] as const;
      }),
  },
  { weight: 1, arbitrary: fc.webPath().map((path) => ['GET', `/x${path}`] as const) },
);

const arbitraryQuote = fc
  .record(
    {
      fiatCurrency: mostly('USD', 'EUR', 'USD', 'XXX'),
      currencyAmount: mostly('100', '250.5', '0.05', '5000000'),
      cryptoCurrencyCode: mostly('ETH', 'USDT_ERC20', 'NONE'),
      payment: mostly('CREDIT_DEBIT_CARD', ''),
      buyType: mostly('fiat', 'nft'),
    },
    { requiredKeys: ['fiatCurrency', 'currencyAmount', 'cryptoCurrencyCode'] },
  )
  .map((query) => `?${new URLSearchParams(query)}`);

const arbitraryQuery = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          references: mostly('waiting,paid', 'other'),
          limit: mostly('0', '50', '51'),
          cursor: fc.string(),
        },
        { requiredKeys: [] },
      )
      .map((query) => `?${new URLSearchParams(query)}`),
  },
  { weight: 1, arbitrary: fc.webQueryParameters().map((query) => `?${query}`) },
  { weight: 1, arbitrary: fc.constantFrom('?limit=1&limit=1', '?limit=%zz', '?buyType=nft', '?=') },
);

/** A value of a header: Latin letters only, because a `Request` refuses other characters. */
const headerText = fc.stringMatching(/^[ -~]{0,60}$/);

const arbitraryHeaders = fc
  .record(
    {
      origin: fc.constantFrom(origin, origin, origin, 'https://evil.example', 'null'),
      'content-type': fc.constantFrom('application/json', 'application/json', 'text/plain'),
      'x-user': fc.constantFrom('u1', 'u1', 'u1', 'u2'),
      authorization: fc.oneof({ weight: 4, arbitrary: fc.constant(job.authorization) }, headerText),
      cookie: headerText,
      'if-none-match': headerText,
      'x-fp-timestamp': headerText,
    },
    { requiredKeys: ['origin', 'content-type', 'x-user', 'authorization'] },
  )
  .map((headers) => headers as Record<string, string>);

const arbitraryProposal = arbitraryParams.map(({ widget, params }) => {
  const { ext: _, ...proposed } = params;
  return JSON.stringify({ widget, params: proposed, selection: proposed });
});

const arbitraryBody = fc.oneof(
  { weight: 6, arbitrary: arbitraryProposal },
  { weight: 2, arbitrary: arbitraryParams.map((proposal) => JSON.stringify(proposal)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.uint8Array().map((bytes) => new Uint8Array(bytes)) },
  { weight: 1, arbitrary: fc.nat(70_000).map((length) => `"${'x'.repeat(length)}"`) },
);

const anyRequest: fc.Arbitrary<SentRequest> = fc
  .record({
    route: arbitraryRoute,
    otherMethod: seldom(fc.constantFrom(...methods)),
    query: arbitraryQuery,
    quote: arbitraryQuote,
    headers: arbitraryHeaders,
    body: arbitraryBody,
  })
  .map(({ route: [method, path], otherMethod, query, quote, ...sent }) => ({
    ...sent,
    method: otherMethod ?? method,
    target: path + (path === '/quote' ? quote : query),
  }));

/** A webhook that the service signed, or one that was changed on its way. */
const anyWebhook: fc.Arbitrary<SentRequest> = fc
  .tuple(
    fc.nat().map((at) => ({ ext: world.references[at % world.references.length] })),
    seldom(fc.record({ name: fc.constantFrom('x-fp-nonce', 'x-fp-extra'), value: headerText })),
    seldom(arbitraryQuery),
  )
  .map(([body, header, query]) => {
    const sent = createSignedWebhook(body);
    const headers = { ...sent.headers, ...(header && { [header.name]: header.value }) };
    return { ...sent, headers, target: sent.target + (query ?? '') };
  });

/** Another test fills the handler with requests in progress. */
const busy = / 503 ERR_BUSY$/;

describe('a response of the handler', { timeout: 600_000 }, () => {
  it('is in the document, whatever part of the backend is missing, wrong or down', async () => {
    const drift: string[] = [];
    for (const condition of conditionNames)
      for (const sent of createRequests()) drift.push(...(await findDrift(condition, sent)));
    for (const change of Object.values(mistakes))
      for (const sent of createRequests()) drift.push(...(await findDrift('none', change(sent))));
    const limited = world.createHandler('none');
    const poll = { method: 'GET', target: '/checkouts?limit=0', headers: page };
    for (let times = 0; times < 300; times++) await world.exchange(limited, poll);
    for (const sent of createRequests())
      drift.push(...world.contract.findDrift(await world.exchange(limited, sent)));
    expect(drift).toEqual([]);
    const { documented, seen } = world.contract;
    expect(documented.filter((response) => !seen.has(response) && !busy.test(response))).toEqual(
      [],
    );
  });

  it(`is in the document, for ${REQUESTS} random requests`, async () => {
    const statuses = new Map<number, number>();
    const anyCondition = fc.oneof(
      { weight: 3, arbitrary: fc.constant<Condition>('none') },
      { weight: 1, arbitrary: fc.constantFrom(...conditionNames) },
    );
    const any = fc.oneof(
      { weight: 9, arbitrary: anyRequest },
      { weight: 1, arbitrary: anyWebhook },
    );
    await fc.assert(
      fc.asyncProperty(anyCondition, any, async (condition, sent) => {
        const exchange = await world.exchange(world.createHandler(condition), sent);
        expect(world.contract.findDrift(exchange), condition).toEqual([]);
        statuses.set(exchange.status, (statuses.get(exchange.status) ?? 0) + 1);
      }),
      { numRuns: REQUESTS },
    );
    const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
    process.stdout.write(`Responses in the document: ${counts.join(', ')}\n`);
    // The generators must reach what the routes do, and not only refusals.
    for (const status of [200, 201, 400, 404, 405]) expect([...statuses.keys()]).toContain(status);
  });
});
