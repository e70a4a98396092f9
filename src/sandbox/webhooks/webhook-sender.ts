import type { KeyObject } from 'node:crypto';
import { stringify } from 'lossless-json';
import type { WireForm } from '../api/wire-form.js';
import { wireRecords } from '../api/wire-records.js';
import type { SandboxOrder } from '../SandboxOrder.js';
import type { SandboxOrders } from '../sandbox-orders.js';
import { type SignedWebhook, signedWebhook } from './signed-webhook.js';
import type { WebhookFault } from './webhook-fault.js';

export interface WebhookSettings {
  /** Without one nothing is sent. */
  readonly webhookUrl: string | undefined;
  readonly webhookFault: () => WebhookFault | undefined;
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

/**
 * Sends a webhook for each status that an order reaches: once, whatever becomes of it. Orders move by
 * the clock alone, so they are looked at from time to time.
 *
 * @returns Stops it.
 */
export function sendWebhooks(settings: WebhookSettings): () => void {
  const { webhookUrl: url, webhookFault, partnerId, privateKey, orders, now } = settings;
  if (url === undefined) return () => {};
  const records = wireRecords(settings.form, settings.origin);
  const told = new Map<string, number>();
  const late = new Set<ReturnType<typeof setTimeout>>();
  let heldBack: SignedWebhook | undefined;
  let queue = Promise.resolve();

  const signed = (order: SandboxOrder, agoSeconds = 0) => {
    const body = stringify(records.order(order)) ?? '';
    const timestamp = Math.floor(now() / 1000) - agoSeconds;
    return signedWebhook({ url, partnerId, privateKey, timestamp, body });
  };

  /** What is sent now of this one, in this order. */
  function sent(order: SandboxOrder): SignedWebhook[] {
    const genuine = signed(order);
    switch (webhookFault()) {
      case 'lost':
        return [];
      case 'late':
        late.add(setTimeout(post, LATE_MS, genuine).unref());
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
      // One after the other, so that the order they come in is that which was meant.
      for (const each of sent(order)) queue = queue.then(() => post(each));
    }
  }, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const each of late) clearTimeout(each);
  };
}

/** Sent once: nobody looks at the answer, and nothing is tried again. */
async function post({ url, headers, body }: SignedWebhook): Promise<void> {
  const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) };
  await fetch(url, init).then(
    (response) => response.body?.cancel(),
    () => {},
  );
}
