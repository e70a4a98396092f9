import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'lossless-json';
import { processRuntime, type Runtime, type Timer } from '../../server/internal/runtime.js';
import { createWireRecords, type WireFormat } from '../api/wireFormat.js';
import type { SandboxJournal } from '../console/journal.js';
import type { DerivedValues } from '../createDerivedValues.js';
import { explainSignature, type KnownKeys } from '../explain/explainSignature.js';
import { readRequestMessage } from '../explain/signedMessage.js';
import type { SandboxFaults, WebhookFault } from '../faults.js';
import { createBoundedMap } from '../memory.js';
import { MAX_ORDERS, type SandboxOrder, type SandboxOrders } from '../orders.js';
import { type SignedWebhook, signWebhook } from './signWebhook.js';

export interface WebhookSettings {
  /** Without a URL the sandbox sends no webhooks. */
  readonly webhookUrl: string | undefined;
  readonly faults: SandboxFaults;
  /** Called with one line for each webhook that the backend did not accept. */
  readonly log: (line: string) => void;
  readonly derived: DerivedValues;
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  readonly orders: Pick<SandboxOrders, 'listFinished'>;
  readonly now: () => number;
  readonly form: WireFormat;
  readonly origin: string;
  /**
   * Calls `announce` when an order may have changed. Returns a function that stops it.
   *
   * @default every 50 ms
   */
  readonly watch?: ((announce: () => void) => () => void) | undefined;
  /** The timer of a late webhook, and the network. @default those of the process */
  readonly runtime?: Pick<Runtime, 'fetch' | 'setTimeout' | 'clearTimeout'> | undefined;
  readonly keys: KnownKeys;
  readonly journal: SandboxJournal | undefined;
}

/** Sends a sandbox's webhooks until it is stopped. */
export interface WebhookSender {
  stop(): void;
  /** Whether a webhook of this order was sent, and can be sent again. */
  hasSent(orderId: string): boolean;
  /**
   * Resends an order's latest webhook unchanged, or sends the order's current state in a newly signed one. Returns
   * whether there was one to resend.
   */
  resend(order: SandboxOrder, isAnew: boolean): boolean;
  /** Gives the next webhook of an order this fault. */
  setFault(orderId: string, fault: WebhookFault): void;
}

interface FaultyWebhook {
  readonly webhook: SignedWebhook;
  readonly fault: WebhookFault | undefined;
}

/** The sender of a sandbox without a `webhookUrl`. */
const noSender: WebhookSender = {
  stop: () => {},
  hasSent: () => false,
  resend: () => false,
  setFault: () => {},
};

const POLL_MS = 50;
const LATE_MS = 3000;
const OLD_SECONDS = 600;
const TIMEOUT_MS = 5000;
const SETTLEMENT = 2;

/**
 * Sends a webhook, without retries, when an order finishes and when an NFT order is settled, but not at Settlement. By
 * default the sender polls the orders: their status is computed from the clock, so no event reports a change.
 */
export function startWebhookSender(settings: WebhookSettings): WebhookSender {
  const { webhookUrl: url, faults, derived, partnerId, privateKey, orders, now } = settings;
  const { watch = poll, runtime = processRuntime } = settings;
  if (url === undefined) return noSender;
  const records = createWireRecords(settings.form, settings.origin);
  // Orders from an earlier run are not announced again.
  const announcedStatus = new Map(
    orders.listFinished().map(({ orderId, orderStatus }) => [orderId, orderStatus as number]),
  );
  const late = new Set<Timer>();
  let heldBack: FaultyWebhook | undefined;
  let queue = Promise.resolve();
  let stopped = false;
  let nonces = 0;
  let announcements = 0;

  const signOrder = (order: SandboxOrder, agoSeconds = 0) => {
    const body = stringify(records.order(order)) ?? '';
    const timestamp = Math.floor(now() / 1000) - agoSeconds;
    const digits = faults.quirks.nonceLengths ? (nonces % 10) + 1 : 6;
    const nonce = derived.digits(digits, 'webhook', order.orderId, order.orderStatus, nonces++);
    return signWebhook({ url, partnerId, privateKey, timestamp, nonce, body });
  };
  const log = (line: string) => {
    if (!stopped) settings.log(line);
  };
  function record(webhook: SignedWebhook, failure?: WebhookFailure, fault?: WebhookFault): void {
    const { headers, body } = webhook;
    const request = { method: 'POST', url: webhook.url, headers: Object.entries(headers), body };
    settings.journal?.add({
      kind: 'webhook',
      title: `POST ${new URL(webhook.url).pathname}`,
      isAccepted: !failure,
      result: failure ? failure.what : 'accepted',
      message: failure?.hint,
      explain: (signerText) =>
        explainSignature(readRequestMessage('webhook', request), settings.keys, signerText),
      fault,
    });
  }
  const post = async (webhook: SignedWebhook, fault?: WebhookFault): Promise<void> => {
    const failure = await postWebhook(runtime, webhook, log, fault);
    if (!stopped) record(webhook, failure, fault);
  };

  /** The latest webhook of each order, so that it can be resent. */
  const sent = createBoundedMap<SignedWebhook>(MAX_ORDERS);
  const ownFaults = new Map<string, WebhookFault>();
  const chooseFault = (orderId: string): WebhookFault | undefined => {
    const own = ownFaults.get(orderId);
    ownFaults.delete(orderId);
    if (own) return own;
    if (derived.fraction('webhook-fault', announcements++) >= faults.faultRate) return undefined;
    const { webhookFault } = faults;
    return typeof webhookFault === 'function' ? webhookFault() : webhookFault;
  };

  /** Returns the webhooks to send now because of this order, in sequence. */
  function prepareWebhooks(order: SandboxOrder): FaultyWebhook[] {
    const fault = chooseFault(order.orderId);
    const genuine = signOrder(order);
    sent.add(order.orderId, genuine);
    const before = heldBack;
    if (fault === 'out-of-order' && !before) {
      heldBack = { webhook: genuine, fault };
      record(genuine, { what: 'held back', hint: 'It is sent after the next webhook.' }, fault);
      return [];
    }
    const webhooks = injectFault(order, genuine, fault).map((webhook) => ({ webhook, fault }));
    if (!before || webhooks.length === 0) return webhooks;
    // Send the held-back webhook next, even if this one has another fault: `webhookFault` may have changed since.
    heldBack = undefined;
    return [...webhooks, before];
  }

  /** Returns what to send now in place of a webhook. */
  function injectFault(
    order: SandboxOrder,
    genuine: SignedWebhook,
    fault: WebhookFault | undefined,
  ): SignedWebhook[] {
    switch (fault) {
      case 'lost':
        record(genuine, { what: 'not sent', hint: '' }, fault);
        return [];
      case 'late':
        sendLate(genuine, fault);
        return [];
      case 'twice':
        return [genuine, genuine];
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

  function sendLate(webhook: SignedWebhook, fault: WebhookFault): void {
    const timer = runtime.setTimeout(() => void post(webhook, fault), LATE_MS);
    timer.unref();
    late.add(timer);
  }

  const stopWatching = watch(() => {
    for (const order of orders.listFinished()) {
      const { orderId, orderStatus } = order;
      if (announcedStatus.get(orderId) === orderStatus) continue;
      announcedStatus.set(orderId, orderStatus);
      if (order.nftDetails && orderStatus === SETTLEMENT) continue;
      const latency = faults.latencyMs && delay(faults.latencyMs, undefined, { ref: false });
      // Send the webhooks one after another, so that they arrive in this order.
      for (const { webhook, fault } of prepareWebhooks(order))
        queue = queue.then(() => latency).then(() => (stopped ? undefined : post(webhook, fault)));
    }
  });
  return {
    stop() {
      stopped = true;
      stopWatching();
      for (const each of late) runtime.clearTimeout(each);
    },
    hasSent: (orderId) => sent.get(orderId) !== undefined,
    resend(order, isAnew) {
      const before = sent.get(order.orderId);
      if (!before) return false;
      const webhook = isAnew ? signOrder(order) : before;
      sent.add(order.orderId, webhook);
      queue = queue.then(() => (stopped ? undefined : post(webhook)));
      return true;
    },
    setFault: (orderId, fault) => void ownFaults.set(orderId, fault),
  };
}

function poll(announce: () => void): () => void {
  const timer = setInterval(announce, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Sends a webhook without retries. If the webhook is not accepted, logs and returns the reason. */
async function postWebhook(
  { fetch }: Pick<Runtime, 'fetch'>,
  { url, headers, body }: SignedWebhook,
  log: (line: string) => void,
  fault?: WebhookFault,
): Promise<WebhookFailure | undefined> {
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
  if (!failure) return undefined;
  const { origin, pathname } = new URL(url);
  const hint = fault ? `It was sent with webhookFault '${fault}'.` : failure.hint;
  log(
    `Sandbox: webhook to ${origin}${pathname} not accepted: ${failure.what} (attempt 1 of 1). ${hint}`,
  );
  return failure;
}

/** The reason why a webhook was not accepted, and what to check. */
interface WebhookFailure {
  readonly what: string;
  readonly hint: string;
}

const hints: Readonly<Record<number, string>> = {
  401: "Check that createWebhookVerifier gets this address as url, and the webhookPublicKey of this sandbox run. Its error's reason names the failed check.",
  404: 'Check that the webhook route is mounted at this path. createRamp serves it at {basePath}/webhook if it has webhookUrl.',
  405: 'The sandbox sends POST requests.',
};

/** Returns why a response does not accept the webhook, or `undefined` for a 2xx status. */
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
