import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { runNode } from '../../support/packaging/runNode.js';
import { createExampleEnvironment, startExample } from '../../support/packaging/startExample.js';
import type { ChildServer } from '../../support/shop/startChild.js';
import { startChild } from '../../support/shop/startChild.js';

const servers = ['express', 'fastify', 'hono', 'http', 'koa'];

describe('examples/node-servers', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  let server: ChildServer | undefined;
  let sandbox: Sandbox | undefined;

  beforeAll(async () => {
    example = await installExample('node-servers');
  });
  afterEach(async () => {
    await server?.close();
    await sandbox?.close();
    server = sandbox = undefined;
  });
  afterAll(() => example?.remove());

  it.each(servers)(
    'completes a purchase with `npm run dev -- %s`, up to "Delivered"',
    async (name) => {
      const running = await startExample(example.folder, { args: [name] });
      server = running;
      const { printed } = await buyInPage(running.url);
      expect(printed).toEqual([]);
      expect(running.logs()).not.toMatch(/error|warn|not found/i);
    },
  );

  describe('after `npm run build`', () => {
    // The page has the address of its sandbox, so each sandbox is on the same port.
    let port: number;

    beforeAll(async () => {
      port = await findFreePort();
      await runNode([join(example.folder, 'node_modules/vite/bin/vite.js'), 'build'], {
        cwd: example.folder,
        env: {
          ...process.env,
          NODE_ENV: 'production',
          VITE_RAMP_WIDGET_URL: `http://127.0.0.1:${port}`,
        },
      });
    });

    it.each(servers)(
      'completes a purchase with server.%s.js, and books the order once',
      async (name) => {
        const { folder } = example;
        const url = `http://127.0.0.1:${await findFreePort()}`;
        sandbox = await startSandbox({ port, webhookUrl: `${url}/api/ramp/webhook` });
        const file = `${name}.db`;
        const env = { ...createExampleEnvironment(sandbox, url), DATABASE_FILE: file };
        server = await startChild([`server.${name}.js`], { url, env, cwd: folder });
        const { printed } = await buyInPage(url);
        expect(printed).toEqual([]);
        expect(server.logs()).toBe('');
        const [order] = sandbox.orders();
        const booked = new DatabaseSync(join(folder, file)).prepare('select * from paid').all();
        expect(booked).toEqual([{ order_id: order?.orderId, user_id: 'demo' }]);
      },
    );
  });
});
