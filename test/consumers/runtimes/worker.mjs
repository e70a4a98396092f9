// The backend of the conformance suite for Cloudflare's runtime, which startWorkerd.ts bundles.
import { tracingChannel } from 'node:diagnostics_channel';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { createBackend, respond } from './conformanceBackend.mjs';
import { openPostgres } from './stores.mjs';

let shared;

/** The checkouts that were published on the channel. */
const published = [];
tracingChannel('partner-ramp:checkout').subscribe({
  asyncEnd: (message) => published.push(message),
});

export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname === '/published') return Response.json(published);
    if (!env.DATABASE_URL) {
      shared ??= createBackend(env);
      return respond(shared, request);
    }
    // In workerd, a connection belongs to the request that has opened it. So each request has a pool and a handler.
    const kysely = await openPostgres(env, { max: 1 });
    const work = [];
    const waitUntil = (each) => work.push(each);
    const handler = createBackend(env, { store: sqlOrderStore(kysely), waitUntil });
    const response = await respond(handler, request);
    ctx.waitUntil(Promise.all(work).finally(() => kysely.destroy()));
    return response;
  },
};
