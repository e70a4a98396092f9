// Serves the backend of the conformance suite, mounted as docs/hosts.md shows: `node hosts.mjs koa`.
import { createServer } from 'node:http';
import { serve } from '@hono/node-server';
import { toExpress } from '@partner-ramp/react/server/express';
import { toNodeHandler } from '@partner-ramp/react/server/node';
import express5 from 'express';
import express4 from 'express4';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { createBackend, getContext, respond } from '../../conformance/conformanceBackend.mjs';

const { env } = process;
const port = Number(env.PORT);
const host = '127.0.0.1';
const handler = createBackend(env);
const context = ({ headers }) => getContext(headers);

const onExpress = (express) => () => {
  const app = express().disable('x-powered-by');
  app.use('/api/ramp', toExpress(handler, { context }));
  app.use(express.json());
  app.listen(port, host);
};

const hosts = {
  express4: onExpress(express4),
  express5: onExpress(express5),

  'node:http'() {
    createServer(toNodeHandler(handler, { context })).listen(port, host);
  },

  fastify() {
    const ramp = toNodeHandler(handler, { context });
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
    app.listen({ port, host });
  },

  koa() {
    const ramp = toNodeHandler(handler, { context });
    const app = new Koa();
    app.use(async (ctx, next) => {
      if (!ctx.path.startsWith('/api/ramp/')) return next();
      ctx.respond = false;
      await ramp(ctx.req, ctx.res);
    });
    app.listen(port, host);
  },

  hono() {
    const app = new Hono().all('/api/ramp/*', (c) => respond(handler, c.req.raw));
    serve({ fetch: app.fetch, port, hostname: host });
  },
};

hosts[process.argv[2]]();
