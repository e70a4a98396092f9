import * as ramp from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

export interface User {
  id: string;
  wallet: string;
}

const variable = (name: string) => process.env[name] ?? '';
const partnerId = variable('RAMP_PARTNER_ID');

// In development, each edit loads this module again, so keep in `globalThis` what must exist only once.
const shared = globalThis as {
  rampDatabase?: DatabaseSyncInstance;
  rampTracker?: ramp.OrderTracker;
};

// A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
shared.rampDatabase ??= new DatabaseSync(variable('DATABASE_FILE'));
const db = new Kysely({ dialect: sqliteDialect(shared.rampDatabase) });
const store = sqlOrderStore(db);
shared.rampDatabase.exec(
  'create table if not exists paid (order_id text primary key, user_id text)',
);

const api = ramp.createPartnerApi({
  baseUrl: variable('RAMP_API_URL'),
  partnerId,
  privateKey: variable('RAMP_API_PRIVATE_KEY'),
});

const tracker = ramp.createOrderTracker({
  api,
  store,
  // May run several times for each state of an order. The primary key ensures that each order is booked only once.
  async onOrderChange({ matchStatus, record, intent }) {
    const { order } = record;
    if (matchStatus === 'quarantined')
      console.error(`Review order ${order.orderId}: ${record.reason}`);
    if (matchStatus !== 'matched') return;
    const row = sql`(${order.orderId}, ${intent.subject})`;
    await sql`insert into paid values ${row} on conflict do nothing`.execute(db);
  },
});

export const handler = ramp.createRampHandler<User | undefined>({
  signer: ramp.createWidgetSigner({ partnerId, secretKey: variable('RAMP_SECRET_KEY') }),
  webhooks: ramp.createWebhookVerifier({
    publicKey: variable('RAMP_WEBHOOK_PUBLIC_KEY'),
    url: variable('RAMP_WEBHOOK_URL'),
    replays: store,
  }),
  api,
  store,
  tracker,
  allowedOrigins: variable('SHOP_ORIGIN').split(','),
  policy({ context: user }) {
    if (!user) throw new ramp.RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    return { params: { walletAddress: user.wallet, walletAddressLocked: '1' }, subject: user.id };
  },
  getSubject: ({ context: user }) => user?.id,
  onError: console.error,
});

// The tracker starts with the server, which loads this module at its start. In development, stop the one with the old
// code first.
void shared.rampTracker?.stop();
shared.rampTracker = tracker;
tracker.start();
