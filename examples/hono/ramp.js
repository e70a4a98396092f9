import * as ramp from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

const { RAMP_PARTNER_ID: partnerId, ...env } = process.env;
// A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
const db = new Kysely({ dialect: sqliteDialect(new DatabaseSync(env.DATABASE_FILE)) });
const store = sqlOrderStore(db);
await sql`create table if not exists paid (order_id text primary key, user_id text)`.execute(db);

const { RAMP_API_URL: baseUrl, RAMP_API_PRIVATE_KEY: privateKey } = env;
const api = ramp.createPartnerApi({ baseUrl, partnerId, privateKey });

export const tracker = ramp.createOrderTracker({
  api,
  store,
  // May run several times for each state of an order. The primary key ensures that each order is booked only once.
  async onOrderChange({ matchStatus, record: { order, reason }, intent }) {
    if (matchStatus === 'quarantined') console.error(`Review order ${order.orderId}: ${reason}`);
    if (matchStatus !== 'matched') return;
    const row = sql`(${order.orderId}, ${intent.subject})`;
    await sql`insert into paid values ${row} on conflict do nothing`.execute(db);
  },
});

const { RAMP_WEBHOOK_PUBLIC_KEY: publicKey, RAMP_WEBHOOK_URL: url } = env;
export const handler = ramp.createRampHandler({
  signer: ramp.createWidgetSigner({ partnerId, secretKey: env.RAMP_SECRET_KEY }),
  webhooks: ramp.createWebhookVerifier({ publicKey, url, replays: store }),
  api,
  store,
  tracker,
  allowedOrigins: env.SHOP_ORIGIN.split(','),
  policy({ context: user }) {
    if (!user) throw new ramp.RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    return { params: { walletAddress: user.wallet, walletAddressLocked: '1' }, subject: user.id };
  },
  getSubject: ({ context: user }) => user?.id,
  onError: console.error,
});
