import * as ramp from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

export interface User {
  id: string;
  wallets: ramp.Wallets;
}

// Next loads this module several times (for instrumentation.ts, for the route, and after each edit), so keep in
// `globalThis` what must exist only once.
const shared = globalThis as {
  ramp?: ReturnType<typeof createRamp>;
  rampDatabase?: ReturnType<typeof openDatabase>;
};

function openDatabase() {
  // A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
  const database = new DatabaseSync(variable('DATABASE_FILE'));
  const db = new Kysely({ dialect: sqliteDialect(database) });
  database.exec('create table if not exists paid (order_id text primary key, user_id text)');
  database.exec(
    'create table if not exists review (change_key text primary key, order_id text, user_id text, reason text)',
  );
  return { db, store: sqlOrderStore(db) };
}

function createRamp() {
  const partnerId = variable('RAMP_PARTNER_ID');
  shared.rampDatabase ??= openDatabase();
  const { db, store } = shared.rampDatabase;
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
  const handler = ramp.createRampHandler<User | undefined>({
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
  return { handler, tracker };
}

const variable = (name: string) => process.env[name] ?? '';

/**
 * Creates the handler and the tracker on the first call, not on import: `next build` imports this module but has no
 * keys.
 */
export function getRamp() {
  shared.ramp ??= createRamp();
  return shared.ramp;
}

// In development, each edit loads this module again. Replace the old handler and tracker, which still have the old
// code.
if (process.env.NODE_ENV === 'development' && shared.ramp) {
  void shared.ramp.tracker.stop();
  shared.ramp = createRamp();
  shared.ramp.tracker.start();
}
