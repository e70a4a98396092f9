import { chooseWallet, createRamp } from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

const { env } = process;
// A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
const db = new Kysely({ dialect: sqliteDialect(new DatabaseSync(env.DATABASE_FILE)) });
await sql`create table if not exists paid (order_id text primary key, user_id text)`.execute(db);
await sql`create table if not exists review
  (id text primary key, order_id text, user_id text, reason text)`.execute(db);

export const ramp = createRamp({
  apiUrl: env.RAMP_API_URL,
  partnerId: env.RAMP_PARTNER_ID,
  secretKey: env.RAMP_SECRET_KEY,
  apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
  webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
  webhookUrl: env.RAMP_WEBHOOK_URL,
  store: sqlOrderStore(db),
  allowedOrigins: env.SHOP_ORIGIN.split(','),
  getShopper: ({ context: user }) => user,
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
