import { describe, expect, it, test } from 'vitest';
import { classify, comparePercentiles, percentile } from '../soak/figures.mjs';
import { compareOutcome } from '../soak/outcome.mjs';
import { parseArguments, planMinutes } from '../soak/plan.mjs';

describe('planMinutes', () => {
  const marks = (minutes: number) =>
    planMinutes(minutes)
      .map(({ isFault, isStop }) => (isFault ? 'F' : '.') + (isStop ? 'S' : '.'))
      .join(' ');

  test.each([
    [3, '.. FS ..'],
    [5, '.. .. FS .. ..'],
    [7, '.. .. .. FS .. .. ..'],
    [10, '.. .. F. .. .. FS .. .. F. ..'],
  ])('stops the shop in the middle of %i minutes, within a fault minute', (minutes, expected) => {
    expect(marks(minutes)).toBe(expected);
  });
});

describe('parseArguments', () => {
  it('returns the defaults without arguments', () => {
    expect(parseArguments([])).toEqual({ minutes: 10, rate: 200, streams: 500, addresses: 1000 });
  });

  it('replaces the given defaults', () => {
    expect(parseArguments(['--minutes', '3', '--streams', '20'])).toMatchObject({
      ...{ minutes: 3, streams: 20, rate: 200 },
    });
  });

  test.each([
    [['--minutes', '2'], '--minutes must be a whole number, 3 or more.'],
    [['--rate', 'fast'], '--rate must be a whole number, 1 or more.'],
    [['--streams'], '--streams must be a whole number, 0 or more.'],
    [['--constructor', '1'], '--constructor is not an argument.'],
    [['--streams', '1001'], '--streams must not exceed --addresses'],
  ])('throws for %j', (argv, message) => {
    expect(() => parseArguments(argv)).toThrow(message);
  });
});

test.each([
  [[5], 0.99, 5],
  [[3, 1, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => 100 - index), 0.99, 99],
  [Array.from({ length: 101 }, (_, index) => index + 1), 0.99, 100],
  [[], 0.99, undefined],
])('percentile uses the nearest rank, case %#', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

describe('classify', () => {
  const quiet = { isDown: false, isFaulty: false };
  const quote = 'GET /api/ramp/quote';
  const checkout = 'POST /api/ramp/checkouts';
  const events = 'GET /api/ramp/checkouts/:reference/events';
  const faulty = { ...quiet, isFaulty: true };
  const down = { ...quiet, isDown: true };

  test.each([
    ['ok', checkout, 201, undefined, quiet],
    ['error', checkout, 200, undefined, quiet],
    ['error', checkout, 503, 'ERR_API_RESPONSE', faulty],
    ['error', checkout, 429, 'ERR_REQUEST', faulty],
    ['sandbox', quote, 503, 'ERR_API_RESPONSE', faulty],
    ['error', quote, 503, 'ERR_API_RESPONSE', quiet],
    ['error', quote, 503, 'ERR_INTERNAL', faulty],
    ['error', quote, 500, 'ERR_INTERNAL', faulty],
    ['error', quote, 422, 'ERR_QUOTE_UNAVAILABLE', faulty],
    ['error', quote, undefined, 'ECONNRESET', faulty],
    ['stopped', quote, undefined, 'ECONNREFUSED', down],
    ['stopped', events, 503, 'ERR_REQUEST', down],
    ['error', events, 503, 'ERR_REQUEST', quiet],
    ['error', checkout, 500, 'ERR_INTERNAL', down],
    ['error', 'GET /missing', 200, undefined, quiet],
    ['error', 'GET /missing', undefined, 'ECONNRESET', quiet],
  ] as const)('returns %s for %s %s %s', (expected, route, status, code, state) => {
    expect(classify({ route, status, code }, state)).toBe(expected);
  });
});

describe('comparePercentiles', () => {
  const many = (ms: number) => Array<number>(100).fill(ms);
  const plan = planMinutes(5);

  it('compares the quiet minutes with the first one, without fault minutes', () => {
    const minutes = { 1: many(10), 2: many(20), 3: many(900), 4: many(25), 5: many(20) };
    const { compared, slow } = comparePercentiles({ '/a': minutes }, plan, 3);
    expect(compared).toEqual([{ route: '/a', ratio: 2.5 }]);
    expect(slow).toEqual([]);
  });

  it('returns the routes above the limit', () => {
    const times = {
      '/a': { 1: many(10), 5: many(31) },
      '/b': { 1: many(10), 5: many(30) },
    };
    expect(comparePercentiles(times, plan, 3).slow).toEqual([{ route: '/a', ratio: 3.1 }]);
  });

  it('leaves out a route with too few requests', () => {
    const times = { '/a': { 1: many(10), 2: [50] } };
    expect(comparePercentiles(times, plan, 3).compared).toEqual([]);
  });
});

describe('compareOutcome', () => {
  const order = (name: string) => ({ orderId: `order-${name}`, reference: name });
  const expected = { acknowledged: ['a', 'b', 'c'], orders: [order('a'), order('b')] };
  const found = {
    intents: ['a', 'b', 'c', 'd'],
    orders: ['a', 'b'].map((reference) => ({
      ...{ order_id: `order-${reference}`, reference, match_status: 'matched' },
    })),
    deliveries: ['a', 'b'].map((reference) => ({ order_id: `order-${reference}`, reference })),
    pending: 0,
    cases: 0,
  };
  const compare = (change: Partial<typeof found>) => {
    const { checkouts, orders } = compareOutcome(expected, { ...found, ...change });
    return Object.fromEntries(
      Object.entries({ ...checkouts, ...orders }).filter(([, count]) => count > 0),
    );
  };
  const foreign = { order_id: 'order-a', reference: null, match_status: 'unmatched' } as const;

  test.each([
    ['nothing', {}, {}],
    ['a lost checkout', { intents: ['a', 'b'] }, { lost: 1 }],
    ['an order without a record', { orders: found.orders.slice(1) }, { 'not recorded': 1 }],
    [
      'an order without a checkout',
      { orders: [{ ...foreign, reference: '' }, ...found.orders.slice(1)] },
      { 'not recorded': 1 },
    ],
    ['a missing delivery', { deliveries: found.deliveries.slice(1) }, { 'not delivered': 1 }],
    [
      'a second delivery for one checkout',
      { deliveries: [...found.deliveries, { order_id: 'order-x', reference: 'a' }] },
      { 'delivered twice': 1, 'delivered unpaid': 1 },
    ],
    [
      'pending changes and cases',
      { pending: 2, cases: 1 },
      { 'changes left': 2, 'sent to the operator': 1 },
    ],
  ])('finds %s', (_, change, differences) => {
    expect(compare(change)).toEqual(differences);
  });
});
