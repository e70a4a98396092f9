import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { runNode } from '../../support/packaging/runNode.js';
import { createExampleEnvironment, startExample } from '../../support/packaging/startExample.js';
import type { ChildServer } from '../../support/shop/startChild.js';
import { type Site, startSite } from '../../support/shop/startSite.js';
import { buildFramework, type FrameworkName, frameworks, startFramework } from '../frameworks.js';
import { node22 } from '../node22.js';

const names = Object.keys(frameworks) as FrameworkName[];

/**
 * The development server of TanStack Start logs each request that the page aborts, as React Query does in StrictMode,
 * which mounts everything twice.
 */
const withoutAborts = (logs: string) =>
  logs.replace(/^Error: aborted\n(?: +at .*\n)+ {2}code: 'ECONNRESET'\n\}\n/gm, '');

describe.runIf(node22).each(names)('examples/%s (needs Node 22.22)', (name) => {
  let example: Awaited<ReturnType<typeof installExample>>;
  const running: (ChildServer | Sandbox | Site)[] = [];

  beforeAll(async () => {
    example = await installExample(name);
  });
  afterEach(async () => {
    for (const each of running.splice(0).reverse()) await each.close();
  });
  afterAll(() => example?.remove());

  it('completes a purchase with `npm run dev`, up to "Delivered"', async () => {
    const server = await startExample(example.folder, { command: node22 });
    running.push(server);
    const { printed } = await buyInPage(server.url);
    expect(printed).toEqual([]);
    expect(withoutAborts(server.logs())).not.toMatch(/error|warn|not found/i);
  });

  it('uses an edited policy in development without a restart, and stops the old tracker', async () => {
    const countTrackers = join(import.meta.dirname, 'countTrackers.mjs');
    vi.stubEnv('NODE_OPTIONS', `--import=${countTrackers}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startExample(example.folder, { command: node22 });
    running.push(server);
    const trackers = () =>
      server
        .logs()
        .match(/(?<=^running trackers: )\d+$/gm)
        ?.map(Number) ?? [];

    const file = join(example.folder, frameworks[name].ramp);
    const code = await readFile(file, 'utf8');
    onTestFinished(() => writeFile(file, code));
    const edited = code.replace('shopper.wallets', '{}');
    expect(edited).not.toBe(code);
    const buy = async () => {
      const response = await fetch(`${server.url}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { origin: server.url, 'content-type': 'application/json' },
        body: '{"widget":"on-ramp","params":{}}',
      });
      return response.status;
    };
    expect(await buy()).toBe(201);
    await writeFile(file, edited);
    await vi.waitFor(async () => expect(await buy()).toBe(403), { timeout: 30_000, interval: 500 });
    // Vite ignores a change within 50 ms of the one before.
    await new Promise((done) => setTimeout(done, 200));
    await writeFile(file, code);
    await vi.waitFor(async () => expect(await buy()).toBe(201), { timeout: 30_000, interval: 500 });
    expect(trackers().length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...trackers())).toBe(1);
    expect(trackers().at(-1)).toBe(1);
  });

  describe('in production', () => {
    // The keys are missing, so a build that loads the backend fails.
    beforeAll(() => buildFramework(name, example.folder));

    it('has no type errors', async () => {
      const args = ['node_modules/typescript/bin/tsc', '-p', '.'];
      await runNode(args, { cwd: example.folder, command: node22 });
    });

    it('reads the orders when the server starts, before the first request', async () => {
      const sandbox = await startSandbox();
      // The site forwards the requests of the shop to the sandbox, and tells startChild when the first one has come.
      let requests = 0;
      const service = await startSite(() => (request) => {
        const { pathname, search } = new URL(request.url);
        if (pathname === '/has-read')
          return new Response(null, { status: requests > 0 ? 200 : 503 });
        requests++;
        return fetch(sandbox.baseUrl + pathname + search, { headers: request.headers });
      });
      running.push(sandbox, service);
      const env = {
        ...createExampleEnvironment(sandbox, `http://localhost:${await findFreePort()}`),
        RAMP_API_URL: service.origin,
        // A store belongs to one sandbox.
        DATABASE_FILE: ':memory:',
      };
      const url = `${service.origin}/has-read`;
      running.push(await startFramework(example.folder, { url, env }));
      expect(requests).toBeGreaterThan(0);
    });

    it('completes a purchase with `npm start`, and books the order once', async () => {
      const { folder } = example;
      const url = `http://localhost:${await findFreePort()}`;
      const sandbox = await startSandbox({ webhookUrl: `${url}/api/ramp/webhook` });
      running.push(sandbox);
      const env = { ...createExampleEnvironment(sandbox, url), DATABASE_FILE: 'orders.db' };
      const server = await startFramework(folder, { url, env });
      running.push(server);
      const { printed } = await buyInPage(url);
      expect(printed).toEqual([]);
      // srvx prints each request, and the files of the page may have such names.
      expect(server.logs().replace(/\/assets\/\S+/g, '')).not.toMatch(/error|warn|\b500\b/i);
      const [order] = sandbox.orders();
      const booked = new DatabaseSync(join(folder, 'orders.db'))
        .prepare('select * from paid')
        .all();
      expect(booked).toEqual([{ order_id: order?.orderId, user_id: 'demo' }]);
    });
  });
});
