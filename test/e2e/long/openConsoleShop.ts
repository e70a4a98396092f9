/// <reference path="../../../examples/print-shop/src/session/cookieSession.d.ts" />
import type { SandboxOptions } from '@partner-ramp/react/sandbox';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, vi } from 'vitest';
import { openDatabase } from '../../../examples/print-shop/src/database/openDatabase.js';
import {
  pay,
  requestCheckout,
  sandboxShop,
} from '../../../examples/print-shop/test/support/sandboxShop.js';
import { createApiClient } from '../../support/sandbox/createApiClient.js';
import { createConsoleClient } from '../../support/sandbox/createConsoleClient.js';

const HOUR_MS = 3_600_000;
const DAY = 86_400;

/** The longest time until a fault shows. The shop tries for most of a minute to read the order list. */
export const WAIT = { interval: 250, timeout: 100_000 };

/** A checkout that a shopper has paid. */
export interface PaidCheckout {
  readonly reference: string;
  readonly orderId: string;
}

interface ConsoleShopOptions {
  /** The interval at which the shop reads the order list while checkouts are open. */
  readonly pollSeconds: number;
  readonly sandbox?: SandboxOptions;
}

/** Starts the example shop and a sandbox with its console, and creates a shopper, an operator and a developer. */
export async function openConsoleShop(options: ConsoleShopOptions) {
  const { sandbox, shop, close } = await sandboxShop(
    { pollSeconds: options.pollSeconds },
    {
      stepMs: 0,
      settleMs: HOUR_MS,
      seed: 'fault switches',
      consolePort: 0,
      log() {},
      ...options.sandbox,
    },
  );
  const console = await createConsoleClient(sandbox);
  const api = createApiClient(sandbox, Date.now);
  const shopper = await shop.visit();
  const operator = await shop.visit();
  await operator.login();
  const readOverview = () => operator.json('/api/operator/overview');
  // Wait for the first sync, which would find an order that is paid meanwhile without its webhook.
  await vi.waitFor(async () => expect((await readOverview()).sync.syncedAt).toBeDefined(), WAIT);

  const readProgress = async ({ reference }: Pick<PaidCheckout, 'reference'>): Promise<string> =>
    (await shopper.json(`/api/ramp/checkouts/${reference}`)).progress;

  return {
    sandbox,
    shop,
    shopper,
    api,
    console,
    close,
    readProgress,
    /** Requests a price as the page of the shop does. Returns the text of the response. */
    async readQuote(amount = 100): Promise<string> {
      const query = `fiatCurrency=USD&currencyAmount=${amount}&cryptoCurrencyCode=ETH`;
      return (await shopper.send(`/api/ramp/quote?${query}`)).text();
    },
    isReady: async (): Promise<boolean> => (await shopper.send('/ready')).ok,
    /** Buys a top-up, or a print with this ID. */
    async buy(print?: string): Promise<PaidCheckout> {
      const checkout = await requestCheckout(
        shopper,
        print === undefined ? undefined : { merchantUniqueId: print, mintQuantity: '1' },
      );
      return { reference: checkout.reference, orderId: await pay(sandbox, checkout) };
    },
    /** Continues a checkout as the page of the shop does, and pays it once more. */
    async payAgain({ reference }: PaidCheckout): Promise<PaidCheckout> {
      const response = await shopper.post(`/api/ramp/checkouts/${reference}/continue`, {});
      return { reference, orderId: await pay(sandbox, await response.json()) };
    },
    /** Changes faults as the page of the console does. */
    async switchFaults(changes: object): Promise<void> {
      expect((await console.post('/faults', changes)).status).toBe(204);
    },
    /** Presses a button of an order. Returns why the console refuses that. */
    async press({ orderId }: Pick<PaidCheckout, 'orderId'>, action: string) {
      const { status, text } = await console.post('/orders', { orderId, action });
      return status === 204 ? undefined : (JSON.parse(text).error.message as string);
    },
    /** Returns the messages of this kind that the console shows, oldest first. */
    async readMessages(kind: 'webhook' | 'api-request') {
      const { entries } = await console.get('/state');
      return (entries as readonly Message[]).filter((entry) => entry.kind === kind);
    },
    /** Waits until the page of the shopper gets this progress. */
    async waitForProgress(checkout: PaidCheckout, progress: string): Promise<void> {
      await vi.waitFor(async () => expect(await readProgress(checkout)).toBe(progress), WAIT);
    },
    /** Returns the number of orders that need a person, as the operator page shows it. */
    async countCases(): Promise<number> {
      const { cases, moreCases } = await readOverview();
      return cases.length + moreCases;
    },
    /** Lets all checkouts without an order expire, as the shop does after a day. */
    async expireCheckouts(): Promise<void> {
      const { databaseFile } = shop;
      const database = await openDatabase({ databaseFile, databaseUrl: undefined }, () => {});
      await sqlOrderStore(database.db).expireCheckouts(Math.floor(Date.now() / 1000) + DAY);
      await database.close();
    },
    /** Returns the rows of the shop's own tables: what it has delivered, and what it could not deliver. */
    readLedger() {
      const database = new DatabaseSync(shop.databaseFile, { readOnly: true });
      const list = (query: string) =>
        database.prepare(query).all() as unknown as readonly LedgerRow[];
      const deliveries = list(
        `select order_id, shop_deliveries.reference, record ->> '$.order.state' = 'settled' as settled
          from shop_deliveries join ramp_orders using (order_id)`,
      );
      const problems = [
        ...list('select * from shop_cases'),
        ...list('select * from shop_failures'),
      ];
      database.close();
      return {
        deliveries: deliveries.map(({ order_id, reference, settled }) => ({
          orderId: order_id,
          reference,
          isSettled: settled === 1,
        })),
        problems,
      };
    },
    /** Returns the lines of the shop's log from the level error. */
    listErrors(): readonly string[] {
      const lines = shop.logs().split('\n').filter(Boolean);
      return lines.filter((line) => JSON.parse(line).level >= 50);
    },
  };
}

export type ConsoleShop = Awaited<ReturnType<typeof openConsoleShop>>;

interface Message {
  readonly id: number;
  readonly kind: string;
  readonly result: string;
  readonly fault?: string;
}

interface LedgerRow {
  readonly order_id: string;
  readonly reference: string;
  readonly settled: number;
}
