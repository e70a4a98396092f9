import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { fakeOrderList } from '../../support/server/fakeOrderList.js';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';
import { languages } from './languages.js';

const { keys } = JSON.parse(readFileSync('docs/signing-vectors.json', 'utf8'));
const ann = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const Cookie = 'session=demo-session-of-ann';

for (const { language, reason, title } of languages) {
  describe.skipIf(reason)(`the deliveries of the example in ${title}`, () => {
    const temp = mkdtempSync(join(tmpdir(), 'ramp-outcomes-'));
    const list = fakeOrderList([]);
    /** Orders that the service counts and does not list. */
    let missing = 0;
    /** The start of each requested range. */
    const starts: number[] = [];
    let service: Server;
    let backend: ChildServer;
    let origin: string;

    beforeAll(async () => {
      service = createServer(({ url = '' }, response) => {
        starts.push(Number(/startTime=(\d+)/.exec(url)?.[1]));
        const send = (text: string) => {
          const body = JSON.parse(text);
          body.data.totalCount += missing;
          response.end(JSON.stringify(body));
        };
        // A page has two orders, however many are requested.
        const request = { url: url.replace(/\bsize=\d+/, 'size=2') } as IncomingMessage;
        list.answer(request, { setHeader: () => {}, end: send } as unknown as ServerResponse);
      });
      await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
      const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
      const access = { ...keys, baseUrl, widgetUrl: baseUrl, partnerId: 'P1', secretKey: 'secret' };
      const port = await findFreePort();
      origin = `http://127.0.0.1:${port}`;
      const { command, args, cwd, env } = await language.backend(port, temp, language.example);
      backend = await startChild(args, {
        command,
        cwd,
        url: origin,
        isReady: () => true,
        env: { ...listShopVariables(access, origin), ...env, RAMP_POLL_SECONDS: '1' },
      });
    });

    afterAll(async () => {
      await backend?.close();
      service?.close();
      rmSync(temp, { recursive: true, force: true });
    });

    async function open(): Promise<string> {
      const response = await fetch(`${origin}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: origin, Cookie },
        body: JSON.stringify({ widget: 'on-ramp' }),
      });
      return (await response.json()).reference;
    }
    async function show(reference: string): Promise<object> {
      const url = `${origin}/api/ramp/checkouts/${reference}`;
      return (await fetch(url, { headers: { Cookie } })).json();
    }
    const print = (pattern: RegExp) =>
      [...backend.logs().matchAll(pattern)].map(([, line]) => line).sort();
    const deliveries = () => print(/Deliver order (.*)/g);
    const reviews = () => print(/Review order (.*)/g);

    /** Waits until the whole list was read twice. */
    async function wait(): Promise<void> {
      const { requests } = list;
      await expect.poll(() => list.requests, { timeout: 30_000 }).toBeGreaterThan(requests + 30);
    }

    test('delivers each purchase once, and gives every other order to the staff', async () => {
      const [once, twice, wrong, unknown, undone, nft] = [
        await open(),
        await open(),
        await open(),
        await open(),
        await open(),
        await open(),
      ];
      const now = Math.floor(Date.now() / 1000);
      const orders = [
        { orderId: 'once', ext: once, walletAddress: ann.toLowerCase() },
        { orderId: 'first', ext: twice },
        { orderId: 'second', ext: twice },
        {
          orderId: 'wrong',
          ext: wrong,
          walletAddress: '0xdead000000000000000000000000000000000001',
        },
        { orderId: 'unknown', ext: unknown, orderStatus: 99 },
        { orderId: 'undone', ext: undone },
        { orderId: 'nft', ext: nft, nftDetails: [{ tokenId: '7' }] },
        { orderId: 'foreign', ext: 'invoice-7' },
        { orderId: 'nameless' },
      ].map((order, i) => ({ walletAddress: ann, finishTime: now - 100 + i, ...order }));
      list.orders = orders;
      await expect.poll(() => reviews().length, { timeout: 30_000 }).toBe(6);
      list.orders = orders.map((order) =>
        order.orderId === 'undone' ? { ...order, orderStatus: 99 } : order,
      );
      await wait();
      expect(deliveries()).toEqual(['first to ann', 'once to ann', 'undone to ann']);
      expect(reviews()).toEqual([
        'foreign: no-checkout',
        'nameless: no-checkout',
        'nft: widget',
        'second: second-order',
        'undone: unknown-status',
        'unknown: unknown-status',
        'wrong: wallet',
      ]);
      expect(await show(once ?? '')).toMatchObject({
        progress: 'finished',
        orders: [{ state: 'finished', orderId: 'once', currencyAmount: '100' }],
      });
      expect(await show(twice ?? '')).toMatchObject({ progress: 'finished', underReview: 1 });
      expect(await show(wrong ?? '')).toMatchObject({ progress: 'review', orders: [] });
      expect(await show(unknown ?? '')).toMatchObject({ progress: 'unconfirmed', orders: [] });
      expect(await show(undone ?? '')).toMatchObject({ progress: 'finished' });
      expect(await show(undone ?? '')).not.toHaveProperty('underReview');
    });

    test('reads the same range again while the list has fewer orders than it counts', async () => {
      const failed = 'fewer orders than its totalCount';
      expect(backend.logs()).not.toContain(failed);
      missing = 1;
      await expect.poll(() => backend.logs(), { timeout: 30_000 }).toContain(failed);
      starts.length = 0;
      await wait();
      expect(new Set(starts).size).toBe(1);
      missing = 0;
    });
  });
}
