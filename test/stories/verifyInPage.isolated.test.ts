import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { verifyInPage } from '../../.storybook/widget/verifyInPage.js';
import { demoPartner } from '../../demo/demoPartner.js';
import { signCheckout } from '../../demo/signCheckout.js';
import { buildWidgetUrl } from '../../src/protocol/index.js';
import { verifyWidgetQuery } from '../../src/sandbox/checkout/verifyWidgetQuery.js';
import { arbitraryParams } from '../support/server/arbitraryParams.js';

type Params = Readonly<Record<string, string>>;

const nowSeconds = 1_986_217_096;
const service = { ...demoPartner, nowSeconds, toleranceSeconds: 300 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each<[string, (signed: Params) => Params]>([
  ['unchanged parameters', (signed) => signed],
  ['another wallet', (signed) => ({ ...signed, walletAddress: '0xbad0' })],
  ['no signature', ({ signature: _, ...rest }) => rest],
  ['another time', (signed) => ({ ...signed, timestamp: '1700000000' })],
  ['a malformed amount', (signed) => ({ ...signed, amount: '1.999' })],
  ['another partner', (signed) => ({ ...signed, partnerId: 'Somebody' })],
  ['no parameters', () => ({})],
])("the stories' widget and the sandbox's server agree about %s", async (_, change) => {
  const params = change((await signCheckout({ widget: 'on-ramp', params: {} })).params);
  const query = new URL(buildWidgetUrl('https://pay.example', params)).search;
  expect(await verifyInPage(query)).toEqual(verifyWidgetQuery(query, service));
});

/** Functions that manipulate a query: they reorder, duplicate, remove, empty, change or re-encode its items. */
const meddlings: readonly ((items: string[], at: number, text: string) => string[])[] = [
  (items) => items,
  (items) => items.reverse(),
  (items, at) => items.toSpliced(at, 1),
  (items, at) => [...items, items[at] as string],
  (items, at, text) => [...items, `${items[at]?.split('=')[0]}=${encodeURIComponent(text)}`],
  (items, at) => items.with(at, items[at]?.split('=')[0] as string),
  (items, at, text) => items.with(at, `${items[at]}${encodeURIComponent(text)}`),
  (items, at) => items.with(at, items[at]?.replace('=', '%3D') as string),
  (items, at) => items.with(at, (items[at] as string).replace(/[a-z]/, escaped)),
  (items, at) => items.with(at, (items[at] as string).replaceAll('%20', '+')),
  (items, _, text) => [...items, text],
  (items, at) => items.with(at, `${items[at]}%`),
];
const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

it("the stories' widget and the sandbox's server agree about 2,000 manipulated URLs", async () => {
  const verdicts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      arbitraryParams,
      fc.constantFrom(...meddlings),
      fc.nat(),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom(0, 300, 301, -301),
      async ({ widget, params }, meddle, which, text, ageSeconds) => {
        const { params: signed } = await signCheckout({ widget, params });
        const items = new URL(buildWidgetUrl('https://pay.example', signed)).search
          .slice(1)
          .split('&');
        const query = `?${meddle(items, which % items.length, text).join('&')}`;
        const now = nowSeconds + ageSeconds;
        const server = verifyWidgetQuery(query, { ...service, nowSeconds: now });
        vi.setSystemTime(now * 1000);
        expect(await verifyInPage(query)).toEqual(server);
        vi.setSystemTime(nowSeconds * 1000);
        const verdict = server.ok ? 'ok' : server.reason;
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      },
    ),
    { numRuns: 2000 },
  );
  // Each verdict must have occurred more than 20 times, so that the random changes have tested it.
  for (const verdict of [
    'ok',
    'query',
    'signature',
    'incomplete',
    'timestamp-expired',
    'timestamp-in-future',
  ])
    expect([verdict, (verdicts.get(verdict) ?? 0) > 20]).toEqual([verdict, true]);
}, 60_000);
