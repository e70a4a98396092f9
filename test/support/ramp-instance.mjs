// One instance of a backend, in a process of its own: handler, tracker and store, and a partner who notes
// what is handed on in the table `deliveries`. Takes its options as JSON, says where it listens, and
// begins to sweep at the first line of its input.
import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
} from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { connect } from './connect.mjs';

const options = JSON.parse(process.argv[2] ?? '{}');
const { name, target, apiUrl, apiPrivateKey, webhookPublicKey, allowedOrigins } = options;

const server = createAdaptorServer({ fetch: (request) => handler(request) });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

const kysely = connect(target);
const store = sqlOrderStore(kysely);
const tracker = createOrderTracker({
  api: createPartnerApi({ baseUrl: apiUrl, partnerId: name, privateKey: apiPrivateKey }),
  store,
  pollSeconds: options.pollSeconds ?? 1,
  maxPollSeconds: options.pollSeconds ?? 1,
  onOrderChange: ({ key }) =>
    kysely.insertInto('deliveries').values({ key, instance: name }).execute(),
  // Its failures are part of some tests.
  onError: () => {},
});
const handler = createRampHandler({
  signer: createWidgetSigner({ partnerId: 'p1', secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D' }),
  policy: () => ({ params: {}, subject: 'u1' }),
  allowedOrigins,
  store,
  tracker,
  webhooks: createWebhookVerifier({
    publicKey: webhookPublicKey,
    url: `${url}/api/ramp/webhook`,
    replays: store,
  }),
  subjectOf: 'anyone',
  maxStreams: { perSubject: 5000, inAll: 5000 },
  onError: () => {},
});

process.stdout.write(`${url}\n`);
process.stdin.once('data', () => tracker.start());
process.stdin.once('end', () => process.exit());
