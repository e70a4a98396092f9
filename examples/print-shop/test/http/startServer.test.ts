import express from 'express';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/http/startServer.js';
import { stopServer } from '../../src/stopOnSignal.js';
import { startShop } from '../support/startShop.js';

describe('startServer', () => {
  it('rejects with the port that is in use, and how to fix it', async () => {
    const shop = await startShop();
    const second = startServer(express(), { host: '127.0.0.1', port: shop.port });
    await expect(second).rejects.toThrow(
      new RegExp(`^Port ${shop.port} on 127\\.0\\.0\\.1 is in use\\. .*set PORT`),
    );
    await shop.close();
  });
});

describe('stopServer', () => {
  it('waits for requests in flight', async () => {
    const app = express();
    let respond = () => {};
    const requestArrived = new Promise<void>((resolve) => {
      app.get('/', (_req, res) => {
        respond = () => void res.end('done');
        resolve();
      });
    });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    const response = fetch(url);
    await requestArrived;
    const stopped = stopServer(server, 10_000);
    await expect(fetch(url)).rejects.toThrow();
    respond();
    expect(await (await response).text()).toBe('done');
    await stopped;
  });

  it('closes the connection of a request that takes too long', async () => {
    const app = express();
    const requestArrived = new Promise<void>((resolve) => {
      app.get('/', () => resolve());
    });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    const { port } = server.address() as { port: number };
    const response = fetch(`http://127.0.0.1:${port}`);
    const cutOff = expect(response).rejects.toThrow();
    await requestArrived;
    await stopServer(server, 20);
    await cutOff;
  });
});
