import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toNodeHandler } from '../../../src/server/node.js';
import { createHandlerWithCheckout } from '../../support/server/createHandlerWithCheckout.js';
import { origin } from '../../support/server/createTestHandler.js';
import { openEventStream } from '../../support/server/openEventStream.js';

type Mounted = (
  handler: Awaited<ReturnType<typeof createHandlerWithCheckout>>['handler'],
) => Promise<string>;

const fastify: Mounted = async (handler) => {
  const ramp = toNodeHandler(handler);
  const app = Fastify();
  app.register(
    async (scope) => {
      // An onRequest hook runs before Fastify's body parsers, so the handler can still read the body.
      scope.addHook('onRequest', async (request, reply) => {
        reply.hijack();
        await ramp(request.raw, reply.raw);
      });
      scope.all('/*', () => {});
    },
    { prefix: '/api/ramp' },
  );
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
};

const koa: Mounted = async (handler) => {
  const ramp = toNodeHandler(handler);
  const app = new Koa();
  app.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/api/ramp/')) return next();
    ctx.respond = false;
    await ramp(ctx.req, ctx.res);
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe.each([
  ['Fastify', fastify],
  ['Koa', koa],
])('toNodeHandler in %s', (_, mount) => {
  it('grants a checkout', async () => {
    const { handler } = await createHandlerWithCheckout();
    const response = await fetch(`${await mount(handler)}/api/ramp/checkouts`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{"widget":"on-ramp","params":{}}',
    });
    expect(response.status).toBe(201);
    expect((await response.json()).reference).toMatch(/^[\w-]{22}$/);
  });

  it('streams events, and closes the stream of each client that disconnects', async () => {
    const { handler } = await createHandlerWithCheckout();
    const url = `${await mount(handler)}/api/ramp/checkouts/r1/events`;
    for (let loads = 0; loads < 6; loads++) {
      const stream = await openEventStream(url);
      expect(stream.response.status).toBe(200);
      expect(stream.response.headers.get('cache-control')).toBe('no-store, no-transform');
      await stream.until('"waiting"');
      stream.leave();
      await new Promise((done) => setTimeout(done, 50));
    }
  });
});
