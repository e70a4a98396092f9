// The backend of the conformance suite for `bun` and `deno serve`. Deno takes port and address from its arguments.
import process from 'node:process';
import { createBackend, respond } from './conformanceBackend.mjs';
import { openStore } from './stores.mjs';

const handler = createBackend(process.env, { store: await openStore(process.env) });

export default {
  port: process.env.PORT,
  hostname: '127.0.0.1',
  // Bun closes a connection without traffic after 10 seconds; the heartbeat of an event stream comes every 15.
  idleTimeout: 30,
  fetch: (request) => respond(handler, request),
};
