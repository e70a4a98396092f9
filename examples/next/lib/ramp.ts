import * as ramp from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';

export interface User {
  id: string;
  wallet: string;
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
    policy({ context: user }) {
      if (!user) throw new ramp.RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
      return { params: { walletAddress: user.wallet, walletAddressLocked: '1' }, subject: user.id };
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
