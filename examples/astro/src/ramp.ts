import { chooseWallet, createRamp, type Ramp } from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

const { env } = process;

/** Replace this with your session. Return undefined if the user is signed out. */
const findUser = async (_request: Request) => ({
  id: 'demo',
  wallets: {
    evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    solana: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
    tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  },
});

function openDatabase() {
  // A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
  const database = new DatabaseSync(env.DATABASE_FILE ?? '');
  database.exec(`
    create table if not exists paid (order_id text primary key, user_id text);
    create table if not exists review
      (id text primary key, order_id text, user_id text, reason text);
  `);
  return new Kysely({ dialect: sqliteDialect(database) });
}

// In development, each edit loads this module again, so keep in `globalThis` what must exist only once.
const shared = globalThis as { rampDatabase?: Kysely<unknown>; ramp?: Ramp };
shared.rampDatabase ??= openDatabase();
const db = shared.rampDatabase;

export const ramp = createRamp({
  apiUrl: env.RAMP_API_URL,
  partnerId: env.RAMP_PARTNER_ID,
  secretKey: env.RAMP_SECRET_KEY,
  apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
  webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
  webhookUrl: env.RAMP_WEBHOOK_URL,
  store: sqlOrderStore(db),
  allowedOrigins: env.SHOP_ORIGIN?.split(',') ?? [],
  getShopper: ({ request }) => findUser(request),
  policy: ({ selection, shopper }) => ({
    params: { walletAddress: chooseWallet(selection, shopper.wallets), walletAddressLocked: '1' },
  }),
  // Both run in a transaction that records that they ran, so write with it, and await everything.
  async deliver({ orderId, checkout }, transaction) {
    await sql`insert into paid values (${orderId}, ${checkout.subject})`.execute(transaction);
  },
  // A person must look at every other order, because it may be paid. See docs/orders.md#what-money-can-be.
  async review({ key, orderId, checkout }, reason, transaction) {
    const row = sql`(${key}, ${orderId}, ${checkout?.subject ?? null}, ${reason})`;
    await sql`insert into review values ${row}`.execute(transaction);
    console.error(`Review order ${orderId}: ${reason}`);
  },
  onError: console.error,
});

// The server loads this module when it starts, and so starts the ramp. In development, first stop the ramp with the old
// code.
void shared.ramp?.stop();
shared.ramp = ramp;
ramp.start();
