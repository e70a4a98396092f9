import { chooseWallet, createRamp, RampError } from '@partner-ramp/react/server';
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
  // A file works for one machine. Several instances need PostgreSQL: see `postgresPool` in docs/deployment.md.
  const db = new Kysely({ dialect: sqliteDialect(new DatabaseSync(env.DATABASE_FILE)) });
  await sql`create table if not exists paid (order_id text primary key, user_id text)`.execute(db);
  await sql`create table if not exists review
    (id text primary key, order_id text, user_id text, reason text)`.execute(db);
  const store = sqlOrderStore(db);
  const origins = env.SHOP_ORIGIN.split(',');
  const ownership = await createOwnership({
    db,
    origins,
    chains: Object.fromEntries(chains.map(([{ id }, name]) => [id, name])),
    clients: createClients(env),
    now,
  });

  const ramp = createRamp({
    apiUrl: env.RAMP_API_URL,
    partnerId: env.RAMP_PARTNER_ID,
    secretKey: env.RAMP_SECRET_KEY,
    apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
    webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
    webhookUrl: env.RAMP_WEBHOOK_URL,
    store,
    allowedOrigins: origins,
    getShopper: ({ context: owner }) => owner,
    policy,
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
    ramp.handler(c.req.raw, await ownership.find(getCookie(c, cookie))),
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
    ramp,
    /**
     * Returns the proof of the wallet that a checkout buys to, for a service that asks for it. Undefined if there is no
     * such checkout, or it was erased.
     */
    async exportProof(reference) {
      const checkout = await store.findCheckout(reference);
      if (!checkout?.metadata?.ownership) return undefined;
      const { walletAddress } = checkout.params;
      const orderIds = checkout.orders.map(({ order }) => order.orderId);
      return { reference, orderIds, walletAddress, ...checkout.metadata.ownership };
    },
    /** Erases a subject. Returns the checkouts that are still open: call it again until there are none. */
    async eraseUser(subject) {
      await ownership.endAll(subject);
      const { open } = await store.eraseSubject(subject);
      const openOrders = open.flatMap(({ orderIds }) => orderIds);
      const paid = await sql`select order_id from paid where user_id = ${subject}
        union select order_id from review where user_id = ${subject}`.execute(db);
      for (const { order_id } of paid.rows)
        if (!openOrders.includes(order_id)) {
          await sql`delete from paid where order_id = ${order_id}`.execute(db);
          await sql`delete from review where order_id = ${order_id}`.execute(db);
        }
      return open;
    },
  };
}

/** Signs the wallet that the session has proved, and no other. The proof is stored with the checkout. */
function policy({ proposal, selection, shopper: owner }) {
  const { walletAddress: shown } = proposal;
  // The wallet may have switched to another account since, and the shopper sees that one.
  if (shown !== undefined && !(isAddress(shown) && isAddressEqual(shown, owner.address)))
    throw new RampError(
      'ERR_POLICY_REFUSED',
      'You signed in with another wallet. Sign in with this one to buy.',
    );
  return {
    params: { walletAddress: chooseWallet(selection, owner.wallets), walletAddressLocked: '1' },
    metadata: { ownership: owner.proof },
  };
}
