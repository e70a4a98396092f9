import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { testHandlerConformance } from '../../conformance/testHandlerConformance.js';
import { startChild } from '../../support/shop/startChild.js';
import { type FrameworkName, frameworks, installFrameworkHost } from '../frameworks.js';
import { node22 } from '../node22.js';

const script = join(import.meta.dirname, 'hosts.mjs');

/** These parse each body first. The handler gets the bytes, but no malformed JSON. */
const parsed = { passesMalformedJson: false };

describe.each([
  ['express4', {}],
  ['express5', {}],
  ['node:http', {}],
  ['fastify', {}],
  ['koa', {}],
  ['hono', {}],
  ['nest', {}],
  ['nest-controller', parsed],
  ['lambda-serverless-http', {}],
  ['lambda-serverless-express', {}],
  ['lambda-hono', {}],
  ['cloud-functions', parsed],
])('the handler in %s', (name, features) => {
  testHandlerConformance(
    (env, url) => startChild([script, name], { url, env, isReady: () => true }),
    features,
  );
});

const names = Object.keys(frameworks) as FrameworkName[];
/** Astro's `security.checkOrigin` refuses forms from other origins, and from none. */
const featuresOf = { astro: { passesForms: false }, 'react-router': {}, 'tanstack-start': {} };
/** The other hosts have session middleware of their own: see sessions.test.ts. */
const renewsSession = true;
const backend = join(import.meta.dirname, 'frameworkBackend.mjs');

describe.runIf(node22).each(names)('the handler in examples/%s (needs Node 22.22)', (name) => {
  let host: Awaited<ReturnType<typeof installFrameworkHost>> | undefined;
  afterAll(() => host?.remove());

  testHandlerConformance(
    async (variables, url) => {
      host = await installFrameworkHost(name, `export * from ${JSON.stringify(backend)};`);
      const env = { NODE_ENV: 'production', HOST: '127.0.0.1', ...variables };
      return host.start({ url, env });
    },
    { renewsSession, ...featuresOf[name] },
  );
});
