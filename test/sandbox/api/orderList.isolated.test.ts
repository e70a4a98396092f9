import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  parseEnvelope,
  parseOrderList,
  parseQuote,
} from '../../../src/protocol/api/parseResources.js';
import { selectOrderPage } from '../../../src/sandbox/api/apiOperations.js';
import { type Sandbox, type SandboxOrder, startSandbox } from '../../../src/sandbox/index.js';
import { createApiClient } from '../../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { wallet } from '../../support/sandbox/signQuery.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

let clock = 1_986_217_000_000;
let sandbox: Sandbox;
let api: ReturnType<typeof createApiClient>;
/** The IDs of five orders, placed one second apart, except that the last two are placed in the same second. */
const placed: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clock, stepMs: 1000 });
  api = createApiClient(sandbox, () => clock);
  for (const wait of [1000, 1000, 1000, 0, 1000]) {
    placed.push(await placeOrder());
    clock += wait;
  }
});
afterAll(() => sandbox.close());

async function placeOrder(): Promise<string> {
  const widget = createSandboxClient(sandbox, () => clock);
  const { body } = await widget.post('/home/orders', {
    session: await widget.open(),
    fiatCurrency: 'USD',
    currencyAmount: '100',
    cryptoCurrencyCode: 'ETH',
    email: 'ann@shop.example',
    walletAddress: wallet,
  });
  return body.order.orderId;
}

/** Lists the orders that finished `from` to `to` seconds after the first order was placed, at 1,986,217,000. */
async function list(from: number, to: number, more = {}) {
  const range = { startTime: String(1_986_217_000 + from), endTime: String(1_986_217_000 + to) };
  const { json } = await api.get('order', { ...range, ...more });
  return parseOrderList(parseEnvelope(json));
}
const ids = ({ list }: { list: readonly { orderId: string }[] }) =>
  list.map(({ orderId }) => orderId);

describe('The order list', () => {
  it('contains only finished orders', async () => {
    // Orders finish two seconds after they are placed. Orders 0 to 2 are finished now, 3 and 4 finish a second later.
    expect(clock).toBe(1_986_217_004_000);
    expect(ids(await list(0, 1000))).toEqual(placed.slice(0, 3));
    clock += 1000;
    const everything = await list(0, 1000);
    expect(everything).toMatchObject({ page: 1, size: 20, totalCount: 5 });
    expect(ids(everything)).toEqual([...placed.slice(0, 3), ...placed.slice(3).sort()]);
  });

  it('includes both ends of the range', async () => {
    clock = 1_986_217_100_000;
    expect(ids(await list(2, 4))).toEqual(placed.slice(0, 3));
    expect(ids(await list(3, 3))).toEqual(placed.slice(1, 2));
    expect((await list(6, 1000)).totalCount).toBe(0);
    expect((await list(0, 1)).totalCount).toBe(0);
    expect((await list(5, 5)).totalCount).toBe(2);
  });

  it('has contiguous pages: a shorter last page, and empty pages after it', async () => {
    clock = 1_986_217_100_000;
    const pages = [];
    for (const page of ['1', '2', '3', '4']) pages.push(await list(0, 1000, { page, size: '2' }));
    expect(pages.map(({ list }) => list.length)).toEqual([2, 2, 1, 0]);
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([5, 5, 5, 5]);
    expect(pages.map(({ page, size }) => [page, size])).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
    ]);
    expect(pages.flatMap(ids)).toEqual(ids(await list(0, 1000)));
  });
});

describe('The price of an order', () => {
  it('is the price of the API at the time of payment, not a later one', async () => {
    const quotePrice = async () => {
      const { json } = await api.get('price', {
        fiatCurrency: 'USD',
        currencyAmount: '100',
        cryptoCurrencyCode: 'ETH',
      });
      return parseQuote(parseEnvelope(json));
    };
    const before = await quotePrice();
    const orderId = await placeOrder();
    clock += 60_000;
    const order = sandbox.orders().find((each) => each.orderId === orderId);
    expect(order).toMatchObject({
      cryptoCurrencyUnitPrice: before.cryptoCurrencyUnitPrice,
      cryptoCurrencyAmount: before.cryptoCurrencyAmount,
    });
    expect((await quotePrice()).cryptoCurrencyUnitPrice).not.toBe(before.cryptoCurrencyUnitPrice);
  });

  it('equals the price that the widget showed', async () => {
    const widget = createSandboxClient(sandbox, () => clock);
    const { body } = await widget.post('/home/quote', {
      session: await widget.open(),
      fiatCurrency: 'USD',
      currencyAmount: '100',
      cryptoCurrencyCode: 'ETH',
    });
    const orderId = await placeOrder();
    clock += 2000;
    const order = sandbox.orders().find((each) => each.orderId === orderId);
    expect(order?.cryptoCurrencyAmount).toBe(body.quote.cryptoCurrencyAmount);
  });
});

describe('selectOrderPage', () => {
  const orders = fc.uniqueArray(
    fc.record({
      orderId: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 4 }),
      finishTime: fc.integer({ min: 100, max: 110 }),
    }),
    { selector: ({ orderId }) => orderId, maxLength: 60 },
  );

  it('returns each order on exactly one page, independent of the sequence of the input', () => {
    fc.assert(
      fc.property(orders, fc.integer({ min: 1, max: 20 }), (some, size) => {
        const all = some as unknown as SandboxOrder[];
        const query = { startTime: 102, endTime: 108, size };
        const wanted = all.filter(({ finishTime }) => finishTime >= 102 && finishTime <= 108);
        const pages = Math.ceil(wanted.length / size);
        const listed = (from: readonly SandboxOrder[]) =>
          Array.from(
            { length: pages },
            (_, at) => selectOrderPage(from, { ...query, page: at + 1 }).list,
          );
        expect(listed([...all].reverse())).toEqual(listed(all));
        expect(new Set(listed(all).flat())).toEqual(new Set(wanted));
        expect(listed(all).flat()).toHaveLength(wanted.length);
      }),
    );
  });
});
