import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { buildRequestPayload } from '../../../src/protocol/api/buildRequestPayload.js';
import { createWireFormat } from '../../../src/sandbox/api/wireFormat.js';
import { createDerivedValues } from '../../../src/sandbox/createDerivedValues.js';
import type { SandboxOrder, WebhookFault } from '../../../src/sandbox/index.js';
import {
  findConnectionFailure,
  startWebhookSender,
  type WebhookSettings,
} from '../../../src/sandbox/webhooks/startWebhookSender.js';
import { verifyRsaSha256 } from '../../../src/server/index.js';
import { sandboxNftOrder, sandboxOnRampOrder } from '../../support/sandbox/sandboxOrderFixtures.js';
import { type Site, startSite } from '../../support/shop/startSite.js';
import { createFaults } from './createFaults.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let stop: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of stop) await each();
  stop = [];
});

/** Starts a backend that responds with `status`, and a sender that sends webhooks to this backend. */
async function sender(status = 200, given: Partial<WebhookSettings> = {}) {
  const received: { headers: Record<string, string>; order: SandboxOrder }[] = [];
  const lines: string[] = [];
  let orders: SandboxOrder[] = [];
  const site: Site = await startSite(() => async (request) => {
    const headers = Object.fromEntries(request.headers);
    received.push({ headers, order: JSON.parse(await request.text()) });
    return new Response(null, { status, headers: status === 302 ? { Location: '/' } : {} });
  });
  const webhookUrl = `${site.origin}/api/ramp/webhook?key=secret`;
  const { stop: end } = startWebhookSender({
    webhookUrl,
    faults: createFaults(),
    log: (line) => lines.push(line),
    derived: createDerivedValues('a seed'),
    partnerId: 'partner-1',
    privateKey,
    orders: { listFinished: () => orders },
    now: Date.now,
    form: createWireFormat({}),
    origin: site.origin,
    keys: {},
    journal: undefined,
    ...given,
  });
  stop.push(end, () => site.close());
  const list = (...next: SandboxOrder[]) => {
    orders = next;
  };
  const statuses = () => received.map(({ order }) => order.orderStatus);
  return { list, received, lines, statuses, webhookUrl, end };
}

describe('startWebhookSender', () => {
  it('sends an NFT order at status 1 and 3, and not at Settlement', async () => {
    const { list, statuses } = await sender();
    list(sandboxNftOrder(1));
    await vi.waitFor(() => expect(statuses()).toEqual([1]), 10_000);
    list(sandboxNftOrder(2), sandboxOnRampOrder());
    await vi.waitFor(() => expect(statuses()).toEqual([1, 3]), 10_000);
    list(sandboxNftOrder(3), sandboxOnRampOrder());
    await vi.waitFor(() => expect(statuses()).toEqual([1, 3, 3]), 10_000);
  });

  it('signs nonces of one to ten digits with the quirk nonceLengths', async () => {
    const { list, received, webhookUrl } = await sender(200, {
      faults: createFaults({ quirks: { nonceLengths: true } }),
    });
    list(...Array.from({ length: 10 }, (_, index) => sandboxOnRampOrder(`o${index}`)));
    await vi.waitFor(() => expect(received).toHaveLength(10), 10_000);
    const lengths = received.map(({ headers }) => headers['x-fp-nonce']?.length);
    expect(lengths).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { headers } of received) {
      const text = buildRequestPayload({ method: 'POST', url: webhookUrl, headers });
      expect(verifyRsaSha256(text, headers['x-fp-signature'] ?? '', publicKey)).toBe(true);
    }
  });
});

describe('A webhook that is held back', () => {
  /** Finishes the orders `a`, `b` and so on, each with the fault at its position. */
  async function finish(faultOfEach: readonly (WebhookFault | undefined)[]) {
    let announce = () => {};
    const faults = createFaults();
    const watch = (each: () => void) => {
      announce = each;
      return () => {};
    };
    const { list, received } = await sender(200, { faults, watch });
    const orders: SandboxOrder[] = [];
    for (const [index, fault] of faultOfEach.entries()) {
      faults.webhookFault = fault;
      orders.push(sandboxOnRampOrder('abc'[index]));
      list(...orders);
      announce();
    }
    return () => received.map(({ order }) => order.orderId).join(' ');
  }

  it.each([
    [['out-of-order', undefined], 'b a'],
    [['out-of-order', 'out-of-order'], 'b a'],
    [['out-of-order', 'twice'], 'b b a'],
    [['out-of-order', 'lost', undefined], 'c a'],
  ] as const)('is sent after the next one: %j', async (faults, expected) => {
    const received = await finish(faults);
    await vi.waitFor(() => expect(received()).toBe(expected), 10_000);
  });
});

describe('The log of webhooks that were not accepted', () => {
  it.each([
    [404, 'status 404', 'Check that the webhook route is mounted at this path.'],
    [401, 'status 401', 'webhookPublicKey'],
    [302, 'status 302', 'Redirects are not followed.'],
    [500, 'status 500', "See the backend's log."],
  ])('names status %i, the attempt and a hint, and no query', async (status, what, hint) => {
    const { list, lines, webhookUrl, received } = await sender(status);
    list(sandboxOnRampOrder());
    await vi.waitFor(() => expect(lines).toHaveLength(1), 10_000);
    const [address] = webhookUrl.split('?');
    expect(lines[0]).toContain(`webhook to ${address} not accepted: ${what} (attempt 1 of 1). `);
    expect(lines[0]).toContain(hint);
    expect(lines[0]).not.toContain('secret');
    expect(received).toHaveLength(1);
  });

  it('names a refused connection, and sends the next webhook', async () => {
    const { list, lines } = await sender(200, {
      webhookUrl: `http://127.0.0.1:${await findFreePort()}/webhook`,
    });
    list(sandboxOnRampOrder('a'), sandboxOnRampOrder('b'));
    await vi.waitFor(() => expect(lines).toHaveLength(2), 10_000);
    expect(lines[1]).toContain(
      'connection refused (attempt 1 of 1). Check that the backend is running',
    );
  });

  it('reports a timeout', () => {
    const { reason } = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(findConnectionFailure(reason).what).toBe('timed out');
  });

  it('names the injected fault', async () => {
    const webhookFault = () => 'wrong-signature' as const;
    const { list, lines } = await sender(401, { faults: createFaults({ webhookFault }) });
    list(sandboxOnRampOrder());
    await vi.waitFor(() => expect(lines).toHaveLength(1), 10_000);
    expect(lines[0]).toContain("It was sent with webhookFault 'wrong-signature'.");
  });

  it('is empty for accepted webhooks, and after the sender is stopped', async () => {
    const accepted = await sender(204);
    accepted.list(sandboxOnRampOrder());
    await vi.waitFor(() => expect(accepted.received).toHaveLength(1), 10_000);
    const refusing = await sender(500);
    refusing.list(sandboxOnRampOrder());
    await vi.waitFor(() => expect(refusing.received).toHaveLength(1), 10_000);
    refusing.end();
    accepted.list(sandboxOnRampOrder('next'), sandboxOnRampOrder());
    await vi.waitFor(() => expect(accepted.received).toHaveLength(2), 10_000);
    expect(accepted.lines).toEqual([]);
  });
});
