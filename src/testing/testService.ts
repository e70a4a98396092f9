import { createWireFormat } from '../sandbox/api/wireFormat.js';
import type { UsdPrice } from '../sandbox/catalog/pricing.js';
import { calculateUsdPrice } from '../sandbox/catalog/pricing.js';
import { payInWidget, type SandboxPayment } from '../sandbox/checkout/payInWidget.js';
import { createDerivedValues } from '../sandbox/createDerivedValues.js';
import { createSandboxApp } from '../sandbox/createSandboxApp.js';
import type { KnownKeys } from '../sandbox/explain/explainSignature.js';
import type { SandboxFaults, WebhookFault } from '../sandbox/faults.js';
import { createSandboxOrders, type OrderProgress, type SandboxOrder } from '../sandbox/orders.js';
import { parseSandboxOptions } from '../sandbox/parseSandboxOptions.js';
import { startWebhookSender } from '../sandbox/webhooks/startWebhookSender.js';
import type { Runtime } from '../server/internal/runtime.js';
import type { TestKeys } from './testKeys.js';

/** The address of the widget and the partner API. Nothing connects to it. */
export const SERVICE = 'https://pay.example';

/** Both are short, so that no poll of the tracker falls between a payment and the end of its order. */
const STEP_MS = 10_000;
const SETTLE_MS = 10_000;

/** The service: the app of the sandbox without its server, and its orders. */
export interface TestService {
  /** Responds to a request for the widget or the partner API. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Pays in the widget. @throws RampError if the widget refuses the URL or the payment. */
  pay(widgetUrl: string, payment: SandboxPayment): Promise<OrderProgress>;
  /** Returns the milliseconds until all paid orders are finished, or settled. Undefined if none is paid. */
  getMsUntil(step: 'finished' | 'settled'): number | undefined;
  orders(): SandboxOrder[];
  stop(): void;
}

interface ServiceOptions {
  readonly keys: TestKeys;
  readonly runtime: Runtime;
  readonly prices: Readonly<Record<string, string>>;
  readonly webhookUrl: string;
  readonly webhookFault: () => WebhookFault | undefined;
  /** Sends a request to the partner's webhook. */
  readonly fetch: Runtime['fetch'];
}

export function createTestService(options: ServiceOptions): TestService {
  const { keys, runtime, prices, webhookUrl, webhookFault } = options;
  let lastRefusal = '';
  const parsed = parseSandboxOptions({
    ...{ now: runtime.now, stepMs: STEP_MS, settleMs: SETTLE_MS, webhookUrl: undefined },
    webhookFault,
    log: (line) => {
      lastRefusal = line.replace(/^Sandbox: /, '');
    },
  });
  const { latencyMs, apiFault, faultRate, quirks, ...settings } = parsed;
  const faults: SandboxFaults = { latencyMs, apiFault, webhookFault, faultRate, quirks };
  const derived = createDerivedValues(keys.secretKey);
  const getUsdPrice: UsdPrice = (coin, atMs) =>
    prices[coin.symbol] ?? calculateUsdPrice(coin, atMs);
  const orders = createSandboxOrders({ ...settings, derived, journal: undefined });
  const { partnerId, secretKey, publicKey } = keys;
  const known: KnownKeys = {
    ...{ partnerId, secretKey, apiPublicKey: publicKey, webhookPublicKey: publicKey },
  };
  const app = createSandboxApp({
    ...{ ...settings, faults, derived, partnerId, secretKey },
    ...{ origin: SERVICE, orders, getUsdPrice, keys: known, journal: undefined },
    apiPublicKey: publicKey,
  });
  let announce = () => {};
  const { stop } = startWebhookSender({
    ...{ ...settings, faults, derived, webhookUrl, origin: SERVICE, orders, partnerId },
    ...{ keys: known, journal: undefined },
    privateKey: keys.privateKey,
    form: createWireFormat(quirks),
    runtime: { ...runtime, fetch: options.fetch },
    watch: (work) => {
      announce = work;
      return () => {};
    },
  });
  /** When the last order is finished, and when it is settled, by the monotonic clock. */
  const ends: Partial<Record<'finished' | 'settled', number>> = {};

  const send = async (url: string, init?: RequestInit) => app.fetch(new Request(url, init));

  return {
    fetch: send,
    stop,
    orders: () => orders.listFinished(),
    async pay(widgetUrl, payment) {
      const order = await payInWidget(widgetUrl, payment, send, () => lastRefusal);
      const step = (steps: number, settlements = 0) => {
        // The order changes at a whole millisecond, and the timer must not fire before it.
        const ms = steps * STEP_MS + settlements * SETTLE_MS + 1;
        runtime.setTimeout(announce, ms);
        return runtime.monotonic() + ms;
      };
      ends.finished = step(2);
      step(2, 1);
      ends.settled = step(2, 2);
      return order;
    },
    getMsUntil(name) {
      const end = ends[name];
      return end === undefined ? undefined : Math.max(0, end - runtime.monotonic());
    },
  };
}
