// The process of one backend instance. Its `deliver` and `review` write each order into the table `deliveries`. With the
// option `books` they instead print the key of the call, and write the key into two tables. Nothing but the transaction
// of the call keeps a key from being written twice.
// The argument has the options as JSON. The process prints its URL, and starts to sync at the first line of its input.
import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { createRamp } from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { connect } from './connect.mjs';

const options = JSON.parse(process.argv[2] ?? '{}');
const { name, target, apiUrl, apiPrivateKey, webhookPublicKey, allowedOrigins } = options;

// All instances are one shop, so they have one partner ID. The header tells the tests which instance has asked.
const send = globalThis.fetch;
globalThis.fetch = (address, init) =>
  send(address, { ...init, headers: { ...init?.headers, 'x-instance': name } });

const server = createAdaptorServer({ fetch: (request) => ramp.handler(request) });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

const kysely = options.plainPool ? connectPlainly(options.plainPool) : connect(target);
const pollSeconds = options.pollSeconds ?? 1;
const ramp = createRamp({
  apiUrl,
  partnerId: 'p1',
  secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D',
  apiPrivateKey,
  webhookPublicKey,
  webhookUrl: `${url}/api/ramp/webhook`,
  store: sqlOrderStore(kysely),
  allowedOrigins,
  getShopper: () => ({ id: 'u1' }),
  policy: () => ({ params: { walletAddress: '0xabc0000000000000000000000000000000000001' } }),
  deliver: ({ key }, transaction) => record(key, transaction),
  review: ({ key }, _, transaction) => record(key, transaction),
  pollSeconds,
  maxPollSeconds: pollSeconds,
  // Ignore errors, because tests cause failures on purpose.
  onError: () => {},
});

process.stdout.write(`${url}\n`);
process.stdin.once('data', () => ramp.start());
process.stdin.once('end', () => process.exit());

/** Connects through a plain `pg.Pool`. Unlike `postgresPool`, it reuses a connection on which a query timed out. */
function connectPlainly(config) {
  const pool = new pg.Pool({ connectionString: target, ...config });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

async function record(key, transaction) {
  if (!options.books)
    return transaction.insertInto('deliveries').values({ key, instance: name }).execute();
  process.stdout.write(`called ${key}\n`);
  await transaction.insertInto('shop_bookings').values({ key }).execute();
  await transaction.insertInto('shop_goods').values({ key, instance: name }).execute();
}
