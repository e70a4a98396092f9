import * as ramp from '@partner-ramp/react/server';
import { sql } from 'kysely';
import { db, store } from './database.js';

const { RAMP_PARTNER_ID: partnerId, ...env } = process.env;
const { RAMP_API_URL: baseUrl, RAMP_API_PRIVATE_KEY: privateKey } = env;
const api = ramp.createPartnerApi({ baseUrl, partnerId, privateKey });

const tracker = ramp.createOrderTracker({
  api,
  store,
  timers: false, // the process ends after the request; the scheduled job syncs
  deliverySeconds: 15,
  pollSeconds: Number(env.POLL_SECONDS ?? 60),
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

const { RAMP_WEBHOOK_PUBLIC_KEY: publicKey, RAMP_WEBHOOK_URL: url } = env;
export const handler = ramp.createRampHandler({
  signer: ramp.createWidgetSigner({ partnerId, secretKey: env.RAMP_SECRET_KEY }),
  webhooks: ramp.createWebhookVerifier({ publicKey, url, replays: store }),
  api,
  store,
  tracker,
  syncSecret: env.CRON_SECRET,
  waitUntil: (work, { context }) => context.waitUntil(work),
  allowedOrigins: env.SHOP_ORIGIN.split(','),
  policy({ selection, context: { user } }) {
    if (!user) throw new ramp.RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    const walletAddress = ramp.chooseWallet(selection, user.wallets);
    return { params: { walletAddress, walletAddressLocked: '1' }, subject: user.id };
  },
  getSubject: ({ context: { user } }) => user?.id,
  onError: console.error,
});
