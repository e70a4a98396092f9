import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { testHandlerConformance } from '../../conformance/testHandlerConformance.js';
import { startOwnPostgres } from '../../support/database/sqlDatabases.js';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { runNode } from '../../support/packaging/runNode.js';
import { createExampleEnvironment, startExample } from '../../support/packaging/startExample.js';
import { root } from '../../support/root.js';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';
import { type Site, startSite } from '../../support/shop/startSite.js';
import { node22 } from '../node22.js';

/** Starts the built app of a folder at `url`. */
function startBuilt(folder: string, url: string, env: Readonly<Record<string, string>>) {
  const { port, hostname } = new URL(url);
  const next = join(folder, 'node_modules/next/dist/bin/next');
  return startChild([next, 'start', '-H', hostname, '-p', port], { url, env, cwd: folder });
}

describe('examples/next', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  const running: (ChildServer | Sandbox | Site)[] = [];

  beforeAll(async () => {
    example = await installExample('next');
  });
  afterEach(async () => {
    for (const each of running.splice(0).reverse()) await each.close();
  });
  afterAll(() => example?.remove());

  it('completes a purchase with `npm run dev`, up to "Delivered"', async () => {
    const server = await startExample(example.folder);
    running.push(server);
    const { printed } = await buyInPage(server.url);
    expect(printed).toEqual([]);
    expect(server.logs()).not.toMatch(/error|warn|⨯/i);
  });

  it('uses an edited policy in development without a restart', async () => {
    const server = await startExample(example.folder);
    running.push(server);
    const file = join(example.folder, 'lib/ramp.ts');
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
  });

  it('signs checkouts under a basePath of Next, while that of createRamp stays', async () => {
    const file = join(example.folder, 'next.config.ts');
    const code = await readFile(file, 'utf8');
    onTestFinished(() => writeFile(file, code));
    const edited = code.replace('NextConfig = {', "NextConfig = { basePath: '/shop',");
    expect(edited).not.toBe(code);
    await writeFile(file, edited);
    const server = await startExample(example.folder, { path: '/shop' });
    running.push(server);
    const open = async (path: string) => {
      const response = await fetch(`${server.url}${path}/checkouts`, {
        method: 'POST',
        headers: { origin: server.url, 'content-type': 'application/json' },
        body: '{"widget":"on-ramp","params":{}}',
      });
      return response.status;
    };
    expect(await open('/shop/api/ramp')).toBe(201);
    expect(await open('/api/ramp')).toBe(404);
  });

  it('serves its pages without keys, and names the missing one', async () => {
    const { folder } = example;
    const next = join(folder, 'node_modules/next/dist/bin/next');
    const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
    await runNode([next, 'build'], { cwd: folder, env: { ...process.env, ...env } });
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const server = await startBuilt(folder, url, env);
    running.push(server);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url}/api/ramp/currencies`)).status).toBe(500);
    expect(server.logs()).toMatch(/The ramp did not start:.*apiUrl of createRamp is missing/);
  });

  it('reads no orders during `next build`, and completes a purchase with `next start`', async () => {
    const { folder } = example;
    const next = join(folder, 'node_modules/next/dist/bin/next');
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const sandbox = await startSandbox({ webhookUrl: `${url}/api/ramp/webhook` });
    const requests: string[] = [];
    const api = await startSite(() => (request) => {
      requests.push(request.url);
      return new Response(null, { status: 503 });
    });
    running.push(sandbox, api);
    const env = createExampleEnvironment(sandbox, url);

    const inBuild = { ...process.env, ...env, RAMP_API_URL: api.origin };
    await runNode([next, 'build'], { cwd: folder, env: inBuild });
    expect(requests).toEqual([]);
    expect(existsSync(join(folder, 'orders.db'))).toBe(false);

    const server = await startBuilt(folder, url, env);
    running.push(server);
    const { printed } = await buyInPage(url);
    expect(printed).toEqual([]);
    expect(server.logs()).not.toMatch(/error|warn|⨯/i);
    const [order] = sandbox.orders();
    const booked = new DatabaseSync(join(folder, 'orders.db')).prepare('select * from paid').all();
    expect(booked).toEqual([{ order_id: order?.orderId, user_id: 'demo' }]);
  });
});

/** A route of Next.js that mounts the backend of the conformance suite. */
const route = `
import { createBackend, respond } from '../../../../lib/conformanceBackend.mjs';
let handler;
const handle = (request) => respond((handler ??= createBackend(process.env)), request);
export { handle as GET, handle as POST, handle as PUT, handle as DELETE, handle as OPTIONS };
`;

describe('the handler in a route of Next.js', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  afterAll(() => example?.remove());

  testHandlerConformance(
    async (variables, url) => {
      example = await installExample('next');
      const { folder } = example;
      for (const file of ['instrumentation.ts', 'lib/ramp.ts', 'app/api/ramp/[...path]/route.ts'])
        await rm(join(folder, file));
      const backend = 'conformanceBackend.mjs';
      await cp(join(root, 'test/conformance', backend), join(folder, 'lib', backend));
      await writeFile(join(folder, 'app/api/ramp/[...path]/route.js'), route);
      const next = join(folder, 'node_modules/next/dist/bin/next');
      const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...variables } as const;
      await runNode([next, 'build'], { cwd: folder, env: { ...process.env, ...env } });
      return startBuilt(folder, url, env);
    },
    { renewsSession: true },
  );
});

/** Returns the files for Vercel in docs/nextjs.md by name, which is the first line of a block of TypeScript. */
async function readVercelFiles(): Promise<Map<string, string>> {
  const guide = await readFile(join(root, 'docs/nextjs.md'), 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith('On Vercel')) ?? '';
  const blocks = section.matchAll(/^```tsx?\n\/\/ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]));
}

describe.runIf(node22)('the files of docs/nextjs.md for Vercel (needs Node 22.22)', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  const running: (ChildServer | Sandbox)[] = [];

  beforeAll(async () => {
    example = await installExample('next');
    const { folder } = example;
    for (const own of ['app', 'lib', 'instrumentation.ts', 'next.config.ts'])
      await rm(join(folder, own), { recursive: true });
    for (const [name, code] of await readVercelFiles()) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), code);
    }
  });
  afterEach(async () => {
    for (const each of running.splice(0).reverse()) await each.close();
  });
  afterAll(() => example?.remove());

  it('build without keys, deliver after the response to a webhook, and sync for a scheduled job', async () => {
    const { folder } = example;
    const next = join(folder, 'node_modules/next/dist/bin/next');
    const production = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
    await runNode([next, 'build'], { cwd: folder, env: { ...process.env, ...production } });

    const { connect, target } = await startOwnPostgres();
    const url = `http://localhost:${await findFreePort()}`;
    const sandbox = await startSandbox({ webhookUrl: `${url}/api/ramp/webhook` });
    running.push(sandbox);
    const secret = 's'.repeat(32);
    const shop = { DATABASE_URL: target, CRON_SECRET: secret };
    const env = { ...createExampleEnvironment(sandbox, url), ...shop };
    await runNode(['migrate.mts'], {
      command: node22,
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const server = await startBuilt(folder, url, env);
    running.push(server);

    const { printed } = await buyInPage(url);
    expect(printed).toEqual([]);
    const [order] = sandbox.orders();
    const booked = await sql`select * from purchases`.execute(connect());
    expect(booked.rows).toEqual([{ order_id: order?.orderId, user_id: 'demo' }]);
    expect(server.logs()).not.toMatch(/error|warn|⨯/i);

    const sync = (given: string) =>
      fetch(`${url}/api/ramp/sync`, { headers: { authorization: `Bearer ${given}` } });
    expect(await (await sync(secret)).json()).toHaveProperty('ran');
    expect((await sync('wrong')).status).toBe(401);
  });
});
