import * as ramp from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

export interface User {
  id: string;
  wallets: ramp.Wallets;
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
shared.rampDatabase.exec(
  'create table if not exists review (change_key text primary key, order_id text, user_id text, reason text)',
);

const api = ramp.createPartnerApi({
  baseUrl: variable('RAMP_API_URL'),
  partnerId,
  privateKey: variable('RAMP_API_PRIVATE_KEY'),
});

const tracker = ramp.createOrderTracker({
  api,
  store,
  // Runs at least once for each state of an order, so each row has a primary key. Await everything: a promise that
  // nobody awaits fails unseen.
  async onOrderChange({ key, matchStatus, record, intent }) {
    const { orderId } = record.order;
    if (matchStatus === 'matched' && !record.isLaterOrder) {
      // Your staff has paid it back or delivered it by hand.
      if (record.resolution) return;
      const row = sql`(${orderId}, ${intent.subject})`;
      await sql`insert into paid values ${row} on conflict do nothing`.execute(db);
      return;
    }
    // Your staff must look at everything else, because it may be paid: docs/orders.md#each-outcome
    const reason = matchStatus === 'matched' ? 'paid again' : matchStatus;
    const row = sql`(${key}, ${orderId}, ${intent?.subject ?? null}, ${reason})`;
    await sql`insert into review values ${row} on conflict do nothing`.execute(db);
    console.error(`Review order ${orderId}: ${reason}`);
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
  policy({ selection, context: user }) {
    if (!user) throw new ramp.RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    const walletAddress = ramp.chooseWallet(selection, user.wallets);
    return { params: { walletAddress, walletAddressLocked: '1' }, subject: user.id };
  },
  getSubject: ({ context: user }) => user?.id,
  onError: console.error,
});

// The tracker starts with the server, which loads this module at its start. In development, stop the one with the old
// code first.
void shared.rampTracker?.stop();
shared.rampTracker = tracker;
tracker.start();
