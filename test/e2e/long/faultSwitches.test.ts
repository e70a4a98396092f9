import type { ApiFault, WebhookFault } from '@partner-ramp/react/sandbox';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { type ConsoleShop, openConsoleShop, type PaidCheckout, WAIT } from './openConsoleShop.js';

const PRINT = 'print-0386';
const HOUR_MS = 3_600_000;
const NO_PRICES = /Prices are not available at the moment. Try again later./;

/** Everything is off. */
const OFF = { latencyMs: 0, apiFault: null, webhookFault: null, faultRate: 1, quirks: null };

/** What the shop does while one switch is on. By default nobody notices. */
interface FaultSwitch {
  readonly change: {
    readonly apiFault?: ApiFault;
    readonly webhookFault?: WebhookFault;
    readonly latencyMs?: number;
    readonly quirks?: object;
  };
  /** The progress of both purchases once they are paid. */
  readonly paid?: string;
  /** The progress of the print once the service has settled it. */
  readonly settled?: string;
  /** The webhooks in the console, by their result. */
  readonly webhooks?: Readonly<Record<string, number>>;
  /** The number of webhooks that the next order without a fault sends, with one that was held back. */
  readonly later?: number;
  /** Whether the shop can show a price. */
  readonly hasPrices?: boolean;
  /** An error in the shop's log. */
  readonly error?: string;
  /** Reads text of the service that shows the fault, and the text to find there. */
  readonly evidence?: readonly [read: (world: ConsoleShop) => Promise<string>, text: RegExp];
}

const readApi =
  (operation: string, params: Readonly<Record<string, string>> = {}) =>
  async ({ api }: ConsoleShop) =>
    (await api.get(operation, params)).text;
const readOrders = readApi('order', { startTime: '1', endTime: '9999999999' });
const readFirstWebhook = async ({ console, readMessages }: ConsoleShop) => {
  const [first] = await readMessages('webhook');
  return (await console.get(`/entries/${first?.id}`)).explanation.expected.text as string;
};

// A webhook announces the order, but the shop cannot read it.
const unavailable = { paid: 'unconfirmed', settled: 'unconfirmed', hasPrices: false };

const switches: Readonly<Record<string, FaultSwitch>> = {
  'the delay 300 ms': { change: { latencyMs: 300 } },
  'a delay beyond the time limit of the API client': {
    change: { latencyMs: 3500 },
    ...unavailable,
    error: 'GET /open/api/onramp/order: no complete response within 3000 ms',
  },

  'the API fault timeout': {
    change: { apiFault: 'timeout' },
    ...unavailable,
    error: 'GET /open/api/onramp/order: no complete response within 3000 ms',
  },
  'the API fault slow': { change: { apiFault: 'slow' } },
  'the API fault http-500': {
    change: { apiFault: 'http-500' },
    ...unavailable,
    error: 'GET /open/api/onramp/order (status 500)',
  },
  'the API fault error': {
    change: { apiFault: 'error' },
    ...unavailable,
    error: 'system busy',
  },

  'the webhook fault lost': {
    change: { webhookFault: 'lost' },
    settled: 'finished',
    webhooks: { 'not sent': 3 },
  },
  'the webhook fault late': { change: { webhookFault: 'late' } },
  'the webhook fault twice': {
    change: { webhookFault: 'twice' },
    webhooks: { accepted: 6 },
  },
  'the webhook fault out-of-order': {
    change: { webhookFault: 'out-of-order' },
    settled: 'finished',
    webhooks: { 'held back': 2, accepted: 2 },
    later: 2,
  },
  'the webhook fault forged-body': { change: { webhookFault: 'forged-body' } },
  'the webhook fault wrong-signature': {
    change: { webhookFault: 'wrong-signature' },
    settled: 'finished',
    webhooks: { 'status 401': 3 },
  },
  'the webhook fault old-timestamp': {
    change: { webhookFault: 'old-timestamp' },
    settled: 'finished',
    webhooks: { 'status 401': 3 },
  },

  'the quirk codeAsText': {
    change: { quirks: { codeAsText: true } },
    evidence: [readApi('currency'), /"code":"10000"/],
  },
  'the quirk paymentOptionsAsObject': {
    change: { quirks: { paymentOptionsAsObject: true } },
    evidence: [
      readApi('price', { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' }),
      /"paymentOptions":\{/,
    ],
  },
  'the quirk timesAsText': {
    change: { quirks: { timesAsText: true } },
    evidence: [readOrders, /"finishTime":"\d{10}"/],
  },
  'the quirk countsAsText': {
    change: { quirks: { countsAsText: true } },
    evidence: [readOrders, /"mintQuantity":"1"/],
  },
  'the quirk decimalsAsText': {
    change: { quirks: { decimalsAsText: true } },
    evidence: [readOrders, /"currencyAmount":"100/],
  },
  'the quirk emptyListAsText': {
    change: { quirks: { emptyListAsText: true } },
    evidence: [readApi('order', { startTime: '1', endTime: '2' }), /"list":""/],
  },
  'the quirk nonceLengths': {
    change: { quirks: { nonceLengths: true } },
    evidence: [readFirstWebhook, /Nonce=\d(?!\d)/i],
  },
};

/** Opens a shop that is closed after the test. Tests run at the same time, so each has its own. */
async function openWorld(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  ...options: Parameters<typeof openConsoleShop>
): Promise<ConsoleShop> {
  const world = await openConsoleShop(...options);
  onTestFinished(world.close);
  return world;
}

/**
 * Waits until the console shows these webhooks, by their result. The operator page of a shop counts the webhooks of its
 * whole process, which are those of all tests here.
 */
async function waitForWebhooks(
  { readMessages }: ConsoleShop,
  webhooks: Readonly<Record<string, number>>,
): Promise<void> {
  await vi.waitFor(async () => {
    const counts: Record<string, number> = {};
    for (const { result } of await readMessages('webhook'))
      counts[result] = (counts[result] ?? 0) + 1;
    expect(counts).toEqual(webhooks);
  }, WAIT);
}

/** Expects that the shop has delivered each of these orders exactly once, and that nobody needs to look at them. */
async function expectDelivered(
  { readLedger, countCases }: ConsoleShop,
  topUps: readonly PaidCheckout[],
  prints: readonly PaidCheckout[] = [],
): Promise<void> {
  const expected = [
    ...topUps.map((topUp) => ({ ...topUp, isSettled: false })),
    ...prints.map((print) => ({ ...print, isSettled: true })),
  ];
  const sort = (rows: readonly PaidCheckout[]) =>
    [...rows].sort((a, b) => (a.orderId < b.orderId ? -1 : 1));
  // The shopper sees an order as soon as it is recorded, just before the shop delivers it.
  await vi.waitFor(() => expect(sort(readLedger().deliveries)).toEqual(sort(expected)), WAIT);
  expect(readLedger().problems).toEqual([]);
  expect(await countCases()).toBe(0);
}

/** Settles an NFT: from finished to Settlement, and from there to settled. */
async function settle({ press }: ConsoleShop, print: PaidCheckout): Promise<void> {
  for (const _ of [1, 2]) expect(await press(print, 'settle')).toBeUndefined();
}

describe.concurrent('The shop delivers each order once', () => {
  it.for(Object.entries(switches))('with %s, and after it', async ([, fault], context) => {
    const world = await openWorld(context, { pollSeconds: 1 });
    const { paid = 'finished', settled = 'settled', hasPrices = true, error } = fault;
    const { webhooks = { accepted: 3 }, later = 1, evidence } = fault;
    await world.switchFaults(fault.change);
    const topUp = await world.buy();
    const print = await world.buy(PRINT);
    if (error) await vi.waitFor(() => expect(world.shop.logs()).toContain(error), WAIT);
    await world.waitForProgress(topUp, paid);
    await world.waitForProgress(print, paid);
    expect(await world.readQuote()).toMatch(hasPrices ? /"quote":/ : NO_PRICES);

    await settle(world, print);
    await waitForWebhooks(world, webhooks);
    await world.waitForProgress(print, settled);
    const { apiFault, webhookFault = apiFault } = fault.change;
    const shown = await world.readMessages(apiFault ? 'api-request' : 'webhook');
    if (webhookFault)
      expect(shown).toContainEqual(expect.objectContaining({ fault: webhookFault }));
    if (evidence) expect(await evidence[0](world)).toMatch(evidence[1]);
    expect(await world.isReady()).toBe(true);
    if (!error) expect(world.listErrors()).toEqual([]);
    // The service is to blame, not the shop's database.
    expect(world.shop.logs()).not.toContain('No sync of the order list has made progress');

    await world.switchFaults(OFF);
    if (error) {
      await world.waitForProgress(topUp, 'finished');
      await world.waitForProgress(print, 'settled');
    }
    // The webhook of the next order makes the shop read the list, so it also finds what it has missed.
    const next = await world.buy();
    for (const each of [topUp, next]) await world.waitForProgress(each, 'finished');
    await world.waitForProgress(print, 'settled');
    expect(await world.readQuote()).toMatch(/"quote":/);
    const accepted = (webhooks.accepted ?? 0) + later;
    await waitForWebhooks(world, { ...webhooks, accepted });
    await expectDelivered(world, [topUp, next], [print]);
  });

  it('with half of the webhooks lost and half of the API requests failing', async (context) => {
    const world = await openWorld(context, { pollSeconds: 1 });
    await world.switchFaults({ webhookFault: 'lost', apiFault: 'error', faultRate: 0.5 });
    const topUps: PaidCheckout[] = [];
    for (let count = 0; count < 6; count++) topUps.push(await world.buy());
    for (const topUp of topUps) await world.waitForProgress(topUp, 'finished');
    const webhooks = await world.readMessages('webhook');
    expect(new Set(webhooks.map(({ fault }) => fault))).toEqual(new Set(['lost', undefined]));
    // Each amount is a request of its own.
    const texts: string[] = [];
    const hasBoth = () => [/"quote":/, NO_PRICES].every((one) => one.test(texts.join('')));
    for (let amount = 100; !hasBoth(); amount++) texts.push(await world.readQuote(amount));
    await world.switchFaults(OFF);
    await expectDelivered(world, topUps);
  });
});

describe.concurrent('The buttons of an order', () => {
  const LOST = { fault: 'lost', result: 'not sent' };
  // Nothing happens to an order by itself, and the shop reads the list for webhooks only.
  const byHand = { pollSeconds: 600, sandbox: { stepMs: HOUR_MS } };

  it('Finish: the shop delivers it', async (context) => {
    const world = await openWorld(context, byHand);
    const topUp = await world.buy();
    expect(await world.readProgress(topUp)).toBe('waiting');
    expect(await world.press(topUp, 'finish')).toBeUndefined();
    await world.waitForProgress(topUp, 'finished');
    await waitForWebhooks(world, { accepted: 1 });
    await expectDelivered(world, [topUp]);
    expect(await world.press(topUp, 'finish')).toBe('The order has already finished.');
  });

  it('Finish works for a checkout that has expired', async (context) => {
    const world = await openWorld(context, byHand);
    const topUp = await world.buy();
    await world.expireCheckouts();
    await world.waitForProgress(topUp, 'expired');
    expect(await world.press(topUp, 'finish')).toBeUndefined();
    await world.waitForProgress(topUp, 'finished');
    await expectDelivered(world, [topUp]);
  });

  it('Settle: the shop reports the settlement', async (context) => {
    const world = await openWorld(context, byHand);
    const print = await world.buy(PRINT);
    await world.press(print, 'finish');
    await world.waitForProgress(print, 'finished');
    await settle(world, print);
    await world.waitForProgress(print, 'settled');
    await waitForWebhooks(world, { accepted: 2 });
    await expectDelivered(world, [], [print]);
  });

  it('Fail: the checkout stays open, and the shopper can pay again', async (context) => {
    const world = await openWorld(context, byHand);
    const topUp = await world.buy();
    expect(await world.press(topUp, 'fail')).toBeUndefined();
    const again = await world.payAgain(topUp);
    expect(again.orderId).not.toBe(topUp.orderId);
    expect(await world.readProgress(topUp)).toBe('waiting');
    await expectDelivered(world, []);
    await world.press(again, 'finish');
    await world.waitForProgress(again, 'finished');
    await expectDelivered(world, [again]);
  });

  it('Resend: the shop delivers nothing twice', async (context) => {
    const world = await openWorld(context, byHand);
    const topUp = await world.buy();
    await world.press(topUp, 'finish');
    await world.waitForProgress(topUp, 'finished');
    await world.press(topUp, 'resend');
    await waitForWebhooks(world, { accepted: 2 });
    await world.press(topUp, 'resend-anew');
    await waitForWebhooks(world, { accepted: 3 });
    await expectDelivered(world, [topUp]);
  });

  it('Lose: the shop waits for its next reading, or for the webhook sent again', async (context) => {
    const world = await openWorld(context, byHand);
    const topUp = await world.buy();
    await world.press(topUp, 'lose');
    await world.press(topUp, 'finish');
    await waitForWebhooks(world, { 'not sent': 1 });
    expect(await world.readMessages('webhook')).toMatchObject([LOST]);
    expect(await world.readProgress(topUp)).toBe('waiting');
    await world.press(topUp, 'resend');
    await world.waitForProgress(topUp, 'finished');
    await expectDelivered(world, [topUp]);
  });

  it('Lose: a settlement', async (context) => {
    const world = await openWorld(context, byHand);
    const print = await world.buy(PRINT);
    await world.press(print, 'finish');
    await world.waitForProgress(print, 'finished');
    expect(await world.press(print, 'lose')).toBeUndefined();
    await settle(world, print);
    await waitForWebhooks(world, { accepted: 1, 'not sent': 1 });
    expect(await world.readMessages('webhook')).toMatchObject([{ result: 'accepted' }, LOST]);
    // The shop may find the settlement without it, because it reads the list several times after each webhook.
    await world.press(print, 'resend-anew');
    await world.waitForProgress(print, 'settled');
    await expectDelivered(world, [], [print]);
  });

  it('Delay: the shop delivers it when the webhook arrives', async (context) => {
    const world = await openWorld(context, byHand);
    const topUp = await world.buy();
    await world.press(topUp, 'delay');
    await world.press(topUp, 'finish');
    await world.waitForProgress(topUp, 'finished');
    await waitForWebhooks(world, { accepted: 1 });
    expect(await world.readMessages('webhook')).toMatchObject([{ fault: 'late' }]);
    await expectDelivered(world, [topUp]);
  });
});
