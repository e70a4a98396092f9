import { type KeyObject, randomInt } from 'node:crypto';
import { stringify } from 'lossless-json';
import type { WireForm } from '../api/wire-form.js';
import { wireRecords } from '../api/wire-records.js';
import type { SandboxOrder } from '../SandboxOrder.js';
import type { SandboxOrders } from '../sandbox-orders.js';
import type { SandboxQuirks } from '../sandbox-quirks.js';
import { type SignedWebhook, signedWebhook } from './signed-webhook.js';
import { connectionFailure, statusFailure } from './webhook-failure.js';
import type { WebhookFault } from './webhook-fault.js';

export interface WebhookSettings {
  /** Without one nothing is sent. */
  readonly webhookUrl: string | undefined;
  readonly webhookFault: () => WebhookFault | undefined;
  readonly webhookAtSettlement: boolean;
  /** Is called with one line for each webhook that was not accepted. */
  readonly log: (line: string) => void;
  readonly quirks: Pick<SandboxQuirks, 'nonceLengths'>;
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  readonly orders: Pick<SandboxOrders, 'finished'>;
  readonly now: () => number;
  readonly form: WireForm;
  readonly origin: string;
}

const LOOK_MS = 50;
const LATE_MS = 3000;
const OLD_SECONDS = 600;
const TIMEOUT_MS = 5000;
const SETTLEMENT = 2;

/**
 * Sends a webhook for each status that an order reaches, Settlement excepted: once, without a retry. Orders
 * advance by the clock alone, so this polls them.
 *
 * @returns Stops it.
 */
export function sendWebhooks(settings: WebhookSettings): () => void {
  const { webhookUrl: url, webhookFault, partnerId, privateKey, orders, now } = settings;
  const { webhookAtSettlement, quirks } = settings;
  if (url === undefined) return () => {};
  const records = wireRecords(settings.form, settings.origin);
  const told = new Map<string, number>();
  const late = new Set<ReturnType<typeof setTimeout>>();
  let heldBack: SignedWebhook | undefined;
  let queue = Promise.resolve();
  let stopped = false;
  let nonces = 0;

  const signed = (order: SandboxOrder, agoSeconds = 0) => {
    const body = stringify(records.order(order)) ?? '';
    const timestamp = Math.floor(now() / 1000) - agoSeconds;
    const nonce = randomNonce(quirks.nonceLengths ? (nonces++ % 10) + 1 : 6);
    return signedWebhook({ url, partnerId, privateKey, timestamp, nonce, body });
  };
  const log = (line: string) => {
    if (!stopped) settings.log(line);
  };

  /** Returns what is sent now for this order, in sequence. */
  function sent(order: SandboxOrder, fault: WebhookFault | undefined): SignedWebhook[] {
    const genuine = signed(order);
    switch (fault) {
      case 'lost':
        return [];
      case 'late':
        late.add(setTimeout(post, LATE_MS, genuine, log).unref());
        return [];
      case 'twice':
        return [genuine, genuine];
      case 'out-of-order': {
        const before = heldBack;
        heldBack = before ? undefined : genuine;
        return before ? [genuine, before] : [];
      }
      case 'forged-body':
        return [{ ...genuine, body: '{"orderId":"forged","orderStatus":3,"ext":"forged"}' }];
      case 'wrong-signature': {
        const { 'X-Fp-Signature': signature = '' } = signed(order, 1).headers;
        return [{ ...genuine, headers: { ...genuine.headers, 'X-Fp-Signature': signature } }];
      }
      case 'old-timestamp':
        return [signed(order, OLD_SECONDS)];
      default:
        return [genuine];
    }
  }

  const timer = setInterval(() => {
    for (const order of orders.finished()) {
      const { orderId, orderStatus } = order;
      if (told.get(orderId) === orderStatus) continue;
      told.set(orderId, orderStatus);
      if (order.nftDetails && orderStatus === SETTLEMENT && !webhookAtSettlement) continue;
      const fault = webhookFault();
      // One after the other, so that they arrive in this order.
      for (const each of sent(order, fault)) queue = queue.then(() => post(each, log, fault));
    }
  }, LOOK_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    for (const each of late) clearTimeout(each);
  };
}

/** Sends one webhook, once, and logs why it was not accepted. */
async function post(
  { url, headers, body }: SignedWebhook,
  log: (line: string) => void,
  fault?: WebhookFault,
): Promise<void> {
  const failure = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then((response) => {
    response.body?.cancel().catch(() => {});
    return statusFailure(response.status);
  }, connectionFailure);
  if (!failure) return;
  const { origin, pathname } = new URL(url);
  const hint = fault ? `It was sent with webhookFault '${fault}'.` : failure.hint;
  log(
    `Sandbox: webhook to ${origin}${pathname} not accepted: ${failure.what} (attempt 1 of 1). ${hint}`,
  );
}

/** Returns a random integer of so many digits. */
const randomNonce = (digits: number): number => randomInt(10 ** (digits - 1), 10 ** digits);
