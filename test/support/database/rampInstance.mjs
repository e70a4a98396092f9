// The process of one backend instance with handler, tracker and store. Its onOrderChange writes each change into the
// table `deliveries`. With the option `books` it instead prints the key of the change, and writes the key and the goods
// in one transaction.
// The argument has the options as JSON. The process prints its URL, and starts to sync at the first line of its input.
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
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { connect } from './connect.mjs';

const options = JSON.parse(process.argv[2] ?? '{}');
const { name, target, apiUrl, apiPrivateKey, webhookPublicKey, allowedOrigins } = options;

const server = createAdaptorServer({ fetch: (request) => handler(request) });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

const kysely = options.plainPool ? connectPlainly(options.plainPool) : connect(target);
const store = sqlOrderStore(kysely);
// All instances are one shop, so they have one partner ID. The header tells the tests which instance has asked.
const partnerId = 'p1';
const fetchAsInstance = (address, init) =>
  fetch(address, { ...init, headers: { ...init.headers, 'x-instance': name } });
const tracker = createOrderTracker({
  api: createPartnerApi({
    baseUrl: apiUrl,
    partnerId,
    privateKey: apiPrivateKey,
    fetch: fetchAsInstance,
  }),
  store,
  pollSeconds: options.pollSeconds ?? 1,
  maxPollSeconds: options.pollSeconds ?? 1,
  onOrderChange: ({ key }) => {
    if (options.books) return book(key);
    return kysely.insertInto('deliveries').values({ key, instance: name }).execute();
  },
  // Ignore errors, because tests cause failures on purpose.
  onError: () => {},
});
const handler = createRampHandler({
  signer: createWidgetSigner({ partnerId, secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D' }),
  policy: () => ({
    params: { walletAddress: '0xabc0000000000000000000000000000000000001' },
    subject: 'u1',
  }),
  allowedOrigins,
  store,
  tracker,
  webhooks: createWebhookVerifier({
    publicKey: webhookPublicKey,
    url: `${url}/api/ramp/webhook`,
    replays: store,
  }),
  getSubject: 'anyone',
  onError: () => {},
});

process.stdout.write(`${url}\n`);
process.stdin.once('data', () => tracker.start());
process.stdin.once('end', () => process.exit());

/** Connects through a plain `pg.Pool`. Unlike `postgresPool`, it reuses a connection on which a query timed out. */
function connectPlainly(config) {
  const pool = new pg.Pool({ connectionString: target, ...config });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Books a change. Writes nothing if its key is already in the table. */
function book(key) {
  process.stdout.write(`called ${key}\n`);
  return kysely.transaction().execute(async (transaction) => {
    const booking = transaction.insertInto('shop_bookings').values({ key });
    const booked = await booking
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .execute();
    if (booked.length > 0)
      await transaction.insertInto('shop_goods').values({ key, instance: name }).execute();
  });
}
