// Serves the backend of the conformance suite, mounted as docs/hosts.md shows: `node hosts.mjs koa`. With
// ROLLING_SESSION=1, the usual session middleware of the host renews its cookie in every response.
import { createServer } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { serve } from '@hono/node-server';
import { toExpress } from '@partner-ramp/react/server/express';
import { toNodeHandler, toRequest } from '@partner-ramp/react/server/node';
import express5 from 'express';
import expressSession from 'express-session';
import express4 from 'express4';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import Koa from 'koa';
import koaSession from 'koa-session';
import { createBackend, getContext, respond } from '../../conformance/conformanceBackend.mjs';
import { createApiGateway } from './createApiGateway.mjs';

const { env } = process;
const port = Number(env.PORT);
const host = '127.0.0.1';
const handler = createBackend(env);
const context = ({ headers }) => getContext(headers);

const hasSession = env.ROLLING_SESSION === '1';
const secret = 'a secret of sessions, longer than 32 characters';
const logger = ['error', 'warn'];
/** The middleware of sessions for Express, and for all that is built on it. */
const session = hasSession
  ? expressSession({ secret, rolling: true, resave: false, saveUninitialized: true })
  : (_req, _res, next) => next();

function createExpressApp(express) {
  const app = express().disable('x-powered-by').use(session);
  app.use('/api/ramp', toExpress(handler, { context }));
  app.use(express.json());
  return app;
}

function createHonoApp() {
  const app = new Hono();
  if (hasSession)
    app.use((c, next) => {
      setCookie(c, 'session', 'renewed');
      return next();
    });
  return app.all('/api/ramp/*', async (c) => {
    const response = await respond(handler, c.req.raw);
    // A Response alone would lack the cookies that a middleware has set before next().
    return c.newResponse(response.body, response);
  });
}

const hosts = {
  express4: () => createExpressApp(express4).listen(port, host),
  express5: () => createExpressApp(express5).listen(port, host),

  'node:http'() {
    const ramp = toNodeHandler(handler, { context });
    createServer((req, res) => session(req, res, () => ramp(req, res))).listen(port, host);
  },

  fastify() {
    const app = Fastify();
    if (hasSession) {
      app.register(fastifyCookie);
      app.register(fastifySession, { secret, cookie: { secure: false } });
    }
    app.register(
      async (scope) => {
        // The handler reads the body itself.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _body, done) => done(null));
        scope.all('/*', (request) => handler(toRequest(request.raw), context(request)));
      },
      { prefix: '/api/ramp' },
    );
    return app.listen({ port, host });
  },

  koa() {
    const app = new Koa({ keys: [secret] });
    if (hasSession) {
      app.use(koaSession({ rolling: true }, app));
      app.use((ctx, next) => {
        ctx.session.seen = true;
        return next();
      });
    }
    app.use(async (ctx, next) => {
      if (!ctx.path.startsWith('/api/ramp/')) return next();
      const response = await handler(toRequest(ctx.req), context(ctx));
      ctx.status = response.status;
      ctx.set(Object.fromEntries(response.headers));
      ctx.body = await response.text();
    });
    app.listen(port, host);
  },

  hono() {
    serve({ fetch: createHonoApp().fetch, port, hostname: host });
  },

  async nest() {
    const { createAppModule, NestFactory } = await import('./nest.mjs');
    const app = await NestFactory.create(createAppModule(), { logger });
    app.use(session);
    app.use('/api/ramp', toExpress(handler, { context }));
    await app.listen(port, host);
  },

  async 'nest-controller'() {
    const { createAppModule, createRampController, NestFactory } = await import('./nest.mjs');
    const controller = createRampController(toNodeHandler(handler, { context }));
    const app = await NestFactory.create(createAppModule(controller), { rawBody: true, logger });
    app.use(session);
    await app.listen(port, host);
  },

  async 'lambda-serverless-http'() {
    const { default: serverless } = await import('serverless-http');
    createApiGateway(serverless(createExpressApp(express5))).listen(port, host);
  },

  async 'lambda-serverless-express'() {
    const { default: serverlessExpress } = await import('@codegenie/serverless-express');
    const app = createExpressApp(express5);
    createApiGateway(serverlessExpress({ app })).listen(port, host);
  },

  async 'lambda-hono'() {
    const { handle } = await import('hono/aws-lambda');
    createApiGateway(handle(createHonoApp())).listen(port, host);
  },

  async 'cloud-functions'() {
    const { http } = await import('@google-cloud/functions-framework');
    const { getTestServer } = await import('@google-cloud/functions-framework/testing');
    const ramp = toNodeHandler(handler, { context });
    http('ramp', (req, res) => session(req, res, () => ramp(req, res)));
    getTestServer('ramp').listen(port, host);
  },
};

await hosts[process.argv[2]]();
