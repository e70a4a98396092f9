import * as ramp from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { Kysely, sql } from 'kysely';
import { createPublicClient, http, isAddress, isAddressEqual } from 'viem';
import * as evm from 'viem/chains';
import { createOwnership, OwnershipError } from './ownership.js';

/** The chains that this shop sells on, with their names in `chooseWallet`. */
const chains = [
  [evm.mainnet, 'ethereum'],
  [evm.base, 'base'],
  [evm.polygon, 'polygon'],
];

function createClients(env) {
  const configured = chains.filter(([{ id }]) => env[`RPC_URL_${id}`]);
  const create = ([chain]) => [
    chain.id,
    createPublicClient({ chain, transport: http(env[`RPC_URL_${chain.id}`]) }),
  ];
  return Object.fromEntries(configured.map(create));
}

export async function createShop(env, { now = Date.now } = {}) {
  const { RAMP_PARTNER_ID: partnerId } = env;
  // A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
  const db = new Kysely({
    dialect: sqliteDialect(new DatabaseSync(env.DATABASE_FILE)),
  });
  const store = sqlOrderStore(db);
  await sql`create table if not exists paid (order_id text primary key, user_id text)`.execute(db);
  await sql`create table if not exists review
    (change_key text primary key, order_id text, user_id text, reason text)`.execute(db);
  const origins = env.SHOP_ORIGIN.split(',');
  const ownership = await createOwnership({
    db,
    origins,
    chains: Object.fromEntries(chains.map(([{ id }, name]) => [id, name])),
    clients: createClients(env),
    now,
  });

  const { RAMP_API_URL: baseUrl, RAMP_API_PRIVATE_KEY: privateKey } = env;
  const api = ramp.createPartnerApi({ baseUrl, partnerId, privateKey });
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

  const { RAMP_WEBHOOK_PUBLIC_KEY: publicKey, RAMP_WEBHOOK_URL: url } = env;
  const handler = ramp.createRampHandler({
    signer: ramp.createWidgetSigner({ partnerId, secretKey: env.RAMP_SECRET_KEY }),
    webhooks: ramp.createWebhookVerifier({ publicKey, url, replays: store }),
    api,
    store,
    tracker,
    allowedOrigins: origins,
    policy,
    getSubject: ({ context: owner }) => owner?.subject,
    onError: console.error,
  });

  const app = new Hono();
  const isSecure = origins.every((origin) => origin.startsWith('https:'));
  // The browser then accepts the cookie from this host only, not from another subdomain.
  const cookie = isSecure ? '__Host-wallet' : 'wallet';
  const remember = (c, session) =>
    setCookie(c, cookie, session, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure,
    });
  app.use('/api/wallet/*', bodyLimit({ maxSize: 32_768 }), (c, next) => {
    c.header('Cache-Control', 'no-store');
    if (c.req.method === 'GET' || origins.includes(c.req.header('origin'))) return next();
    return c.json({ error: { reason: 'origin', message: 'This page may not sign in.' } }, 403);
  });
  app.get('/api/wallet', async (c) => {
    const owner = await ownership.find(getCookie(c, cookie));
    return c.json({ address: owner?.address ?? null });
  });
  app.post('/api/wallet/nonce', async (c) => {
    const { session, ...terms } = await ownership.begin(getCookie(c, cookie));
    remember(c, session);
    return c.json(terms);
  });
  app.post('/api/wallet/proof', async (c) => {
    const body = await c.req.json().catch(() => undefined);
    const { session, address } = await ownership.prove(getCookie(c, cookie), body ?? {});
    remember(c, session);
    return c.json({ address });
  });
  app.post('/api/wallet/sign-out', async (c) => {
    await ownership.end(deleteCookie(c, cookie, { path: '/', secure: isSecure }) ?? '');
    return c.json({ address: null });
  });
  app.all('/api/ramp/*', async (c) =>
    handler(c.req.raw, await ownership.find(getCookie(c, cookie))),
  );
  app.onError((error, c) => {
    const { reason, message } = error;
    if (error instanceof OwnershipError)
      return c.json({ error: { reason, message } }, reason === 'unavailable' ? 503 : 403);
    console.error(error);
    return c.json({ error: { reason: 'internal', message: 'Sign in again in a minute.' } }, 500);
  });

  return {
    app,
    tracker,
    /**
     * Returns the proof of the wallet that a checkout buys to, for a service that asks for it. Undefined if there is no
     * such checkout, or it was erased.
     */
    async exportProof(reference) {
      const { intent, orders = [] } = (await store.findCheckout(reference)) ?? {};
      if (!intent?.metadata?.ownership) return undefined;
      const { walletAddress } = intent.params;
      const orderIds = orders.map(({ order }) => order.orderId);
      return { reference, orderIds, walletAddress, ...intent.metadata.ownership };
    },
    /** Erases a subject. Returns the checkouts that must stay for now: call it again until there are none. */
    async eraseUser(subject) {
      await ownership.endAll(subject);
      const { kept } = await store.eraseSubject(subject);
      const keptOrders = kept.flatMap(({ orderIds }) => orderIds);
      const paid = await sql`select order_id from paid where user_id = ${subject}
        union select order_id from review where user_id = ${subject}`.execute(db);
      for (const { order_id } of paid.rows)
        if (!keptOrders.includes(order_id)) {
          await sql`delete from paid where order_id = ${order_id}`.execute(db);
          await sql`delete from review where order_id = ${order_id}`.execute(db);
        }
      return kept;
    },
  };
}

/** Signs the wallet that the session has proved, and no other. The proof is stored with the checkout. */
function policy({ widget, proposal, selection, context: owner }) {
  if (widget !== 'on-ramp' || !owner) refuse('Sign in with your wallet to buy.');
  const { walletAddress: shown } = proposal;
  // The wallet may have switched to another account since, and the shopper sees that one.
  if (shown !== undefined && !(isAddress(shown) && isAddressEqual(shown, owner.address)))
    refuse('You signed in with another wallet. Sign in with this one to buy.');
  return {
    params: {
      walletAddress: ramp.chooseWallet(selection, owner.wallets),
      walletAddressLocked: '1',
    },
    subject: owner.subject,
    metadata: { ownership: owner.proof },
  };
}

function refuse(message) {
  throw new ramp.RampError('ERR_POLICY_REFUSED', message);
}
