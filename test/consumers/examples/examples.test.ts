import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import type { ChildServer } from '../../support/demo/startChild.js';
import { startChild } from '../../support/demo/startChild.js';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { runNode } from '../../support/packaging/runNode.js';
import { createExampleEnvironment, startExample } from '../../support/packaging/startExample.js';

describe.each(['hono', 'fastify', 'koa', 'node-http'])('examples/%s', (name) => {
  let example: Awaited<ReturnType<typeof installExample>>;
  let server: ChildServer | undefined;
  let sandbox: Sandbox | undefined;

  beforeAll(async () => {
    example = await installExample(name);
  });
  afterEach(async () => {
    await server?.close();
    await sandbox?.close();
    server = sandbox = undefined;
  });
  afterAll(() => example?.remove());

  it('completes a purchase with `npm run dev`, up to "Delivered"', async () => {
    const running = await startExample(example.folder);
    server = running;
    const { printed } = await buyInPage(running.url);
    expect(printed).toEqual([]);
    expect(running.logs()).not.toMatch(/error|warn|not found/i);
  });

  it('completes a purchase with `npm run build` and `npm start`, and books the order once', async () => {
    const { folder } = example;
    const url = `http://127.0.0.1:${await findFreePort()}`;
    sandbox = await startSandbox({ webhookUrl: `${url}/api/ramp/webhook` });
    const env = createExampleEnvironment(sandbox, url);
    await runNode([join(folder, 'node_modules/vite/bin/vite.js'), 'build'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    server = await startChild(['server.js'], { url, env, cwd: folder });
    const { printed } = await buyInPage(url);
    expect(printed).toEqual([]);
    expect(server.logs()).toBe('');
    const [order] = sandbox.orders();
    const booked = new DatabaseSync(join(folder, 'orders.db')).prepare('select * from paid').all();
    expect(booked).toEqual([{ order_id: order?.orderId, user_id: 'demo' }]);
  });
});
