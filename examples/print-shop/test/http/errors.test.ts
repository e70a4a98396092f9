import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { createLogger, createRequestLogger } from '../../src/http/createLogger.js';
import { errorHandler } from '../../src/http/errors.js';
import { startServer } from '../../src/http/startServer.js';
import { stopServer } from '../../src/stopOnSignal.js';
import { startShop } from '../support/startShop.js';

describe('errorHandler', () => {
  it('logs the details, and returns a general message', async () => {
    let logs = '';
    const stream = {
      write(line: string) {
        logs += line;
      },
    };
    const app = express();
    app.use(createRequestLogger(createLogger('info', stream)));
    app.get('/under/path', () => {
      const cause = Object.assign(new Error('the inner reason'), { code: 'ERR_INNER' });
      throw Object.assign(new Error('the outer reason', { cause }), { body: 'canary' });
    });
    app.use(errorHandler);
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/under/path?canary`);
    const text = await response.text();
    await stopServer(server, 0);

    expect(response.status).toBe(500);
    expect(JSON.parse(text).error.code).toBe('ERR_INTERNAL');
    expect(text).not.toMatch(/reason|canary|errors\.test/);
    for (const words of ['the outer reason', 'the inner reason', 'ERR_INNER', '"/under/path"'])
      expect(logs).toContain(words);
    expect(logs).not.toContain('canary');
  });

  it('storefrontFiles returns how to build a missing storefront', async () => {
    const shop = await startShop({}, { folder: '/nonexistent/storefront' });
    const response = await fetch(shop.url);
    expect(response.status).toBe(503);
    expect((await response.json()).error.message).toContain('npm run build');
    await shop.close();
  });
});
