import { type KeyObject, randomInt } from 'node:crypto';
import { stringify } from 'lossless-json';
import { createWireRecords, type WireFormat } from '../api/wireFormat.js';
import type { SandboxOrder, SandboxOrders } from '../orders.js';
import type { SandboxQuirks, WebhookFault } from '../parseSandboxOptions.js';
import { type SignedWebhook, signWebhook } from './signWebhook.js';

export interface WebhookSettings {
  /** Without a URL the sandbox sends no webhooks. */
  readonly webhookUrl: string | undefined;
  readonly webhookFault: () => WebhookFault | undefined;
  readonly webhookAtSettlement: boolean;
  /** Called with one line for each webhook that the backend did not accept. */
  readonly log: (line: string) => void;
  readonly quirks: Pick<SandboxQuirks, 'nonceLengths'>;
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  readonly orders: Pick<SandboxOrders, 'listFinished'>;
  readonly now: () => number;
  readonly form: WireFormat;
  readonly origin: string;
}

const POLL_MS = 50;
const LATE_MS = 3000;
const OLD_SECONDS = 600;
const TIMEOUT_MS = 5000;
const SETTLEMENT = 2;

/**
 * Sends a webhook, without retries, when an order finishes and when an NFT order is settled; with
 * `webhookAtSettlement`, also at Settlement. The sender polls the orders: their status is computed from the clock, so
 * no event reports a change.
 *
 * @returns A function that stops sending.
 */
export function startWebhookSender(settings: WebhookSettings): () => void {
  const { webhookUrl: url, webhookFault, partnerId, privateKey, orders, now } = settings;
  const { webhookAtSettlement, quirks } = settings;
  if (url === undefined) return () => {};
  const records = createWireRecords(settings.form, settings.origin);
  const announcedStatus = new Map<string, number>();
  const late = new Set<ReturnType<typeof setTimeout>>();
  let heldBack: SignedWebhook | undefined;
  let queue = Promise.resolve();
  let stopped = false;
  let nonces = 0;

  const signOrder = (order: SandboxOrder, agoSeconds = 0) => {
    const body = stringify(records.order(order)) ?? '';
    const timestamp = Math.floor(now() / 1000) - agoSeconds;
    const nonce = createNonce(quirks.nonceLengths ? (nonces++ % 10) + 1 : 6);
    return signWebhook({ url, partnerId, privateKey, timestamp, nonce, body });
  };
  const log = (line: string) => {
    if (!stopped) settings.log(line);
  };

  /** Returns the webhooks to send now for this order, in sequence. */
  function prepareWebhooks(order: SandboxOrder, fault: WebhookFault | undefined): SignedWebhook[] {
    const genuine = signOrder(order);
    switch (fault) {
      case 'lost':
        return [];
      case 'late':
        late.add(setTimeout(postWebhook, LATE_MS, genuine, log, fault).unref());
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
        const { 'X-Fp-Signature': signature = '' } = signOrder(order, 1).headers;
        return [{ ...genuine, headers: { ...genuine.headers, 'X-Fp-Signature': signature } }];
      }
      case 'old-timestamp':
        return [signOrder(order, OLD_SECONDS)];
      default:
        return [genuine];
    }
  }

  const timer = setInterval(() => {
    for (const order of orders.listFinished()) {
      const { orderId, orderStatus } = order;
      if (announcedStatus.get(orderId) === orderStatus) continue;
      announcedStatus.set(orderId, orderStatus);
      if (order.nftDetails && orderStatus === SETTLEMENT && !webhookAtSettlement) continue;
      const fault = webhookFault();
      // Send the webhooks one after another, so that they arrive in this order.
      for (const each of prepareWebhooks(order, fault))
        queue = queue.then(() => postWebhook(each, log, fault));
    }
  }, POLL_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    for (const each of late) clearTimeout(each);
  };
}

/** Sends a webhook without retries. If the webhook is not accepted, logs the reason. */
async function postWebhook(
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
    return findStatusFailure(response.status);
  }, findConnectionFailure);
  if (!failure) return;
  const { origin, pathname } = new URL(url);
  const hint = fault ? `It was sent with webhookFault '${fault}'.` : failure.hint;
  log(
    `Sandbox: webhook to ${origin}${pathname} not accepted: ${failure.what} (attempt 1 of 1). ${hint}`,
  );
}

const createNonce = (digits: number): number => randomInt(10 ** (digits - 1), 10 ** digits);

/** The reason why a webhook was not accepted, and what to check. */
interface WebhookFailure {
  readonly what: string;
  readonly hint: string;
}

const hints: Readonly<Record<number, string>> = {
  401: 'Check that createWebhookVerifier has this address as url, and the webhookPublicKey of this run of the sandbox. The reason of its error names the failed check.',
  404: 'Check that the webhook route is mounted at this path. createRampHandler serves it at {basePath}/webhook if it has the option webhooks.',
  405: 'The sandbox sends POST requests.',
};

/** Returns why a response does not accept the webhook, or `undefined` for a status of 2xx. */
function findStatusFailure(status: number): WebhookFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const known = hints[status === 403 ? 401 : status];
  const redirect = status >= 300 && status < 400 && 'Redirects are not followed.';
  return { what: `status ${status}`, hint: known || redirect || "See the backend's log." };
}

/** Returns why the webhook got no response, from the error that `fetch` rejected with. */
export function findConnectionFailure(error: unknown): WebhookFailure {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { what: 'timed out', hint: 'Respond first, then process the webhook.' };
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return {
    what: code === ' (ECONNREFUSED)' ? 'connection refused' : `no response${code}`,
    hint: 'Check that the backend is running at this address.',
  };
}
