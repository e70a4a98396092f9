import { buildRequestPayload, buildWidgetPayload } from '@partner-ramp/react/protocol';
import { startSandbox } from '@partner-ramp/react/sandbox';
import {
  chooseWallet,
  createRamp,
  createWidgetSigner,
  memoryOrderStore,
  type OrderToDeliver,
  type Wallets,
} from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { createTestBackend, signedWebhook } from '@partner-ramp/react/testing';
import type { RequestHandler } from 'express';
import type { Kysely } from 'kysely';

interface User {
  readonly id: string;
  readonly wallets: Wallets;
}

interface Database {
  readonly paid: { readonly order_id: string; readonly user_id: string };
}

const user: User = { id: '1', wallets: { evm: '0x1' } };

/** A shop whose adapter knows the session, and whose writes are in the transaction of the store. */
export async function backend(db: Kysely<Database>): Promise<RequestHandler> {
  const { baseUrl: apiUrl, ...keys } = await startSandbox();
  const ramp = createRamp({
    ...keys,
    apiUrl,
    webhookUrl: 'https://shop.example/api/ramp/webhook',
    store: sqlOrderStore(db),
    allowedOrigins: ['https://shop.example'],
    getShopper: ({ context }: { context: User | undefined }) => context,
    policy: ({ selection, shopper }) => ({
      params: { walletAddress: chooseWallet(selection, shopper.wallets), walletAddressLocked: '1' },
    }),
    async deliver({ orderId, checkout }, transaction) {
      const row = { order_id: orderId, user_id: checkout.subject };
      await transaction.insertInto('paid').values(row).execute();
    },
    async review({ orderId }, reason, transaction) {
      if (reason !== 'no-checkout')
        await transaction.deleteFrom('paid').where('order_id', '=', orderId).execute();
    },
  });
  ramp.start();
  // @ts-expect-error The shop needs the user of each request.
  toExpress(ramp.handler);
  return toExpress(ramp.handler, { context: () => user });
}

/** A shop that reads the session from the request. */
export const functions = createRamp({
  apiUrl: process.env.RAMP_API_URL,
  partnerId: process.env.RAMP_PARTNER_ID,
  secretKey: process.env.RAMP_SECRET_KEY,
  apiPrivateKey: process.env.RAMP_API_PRIVATE_KEY,
  store: memoryOrderStore(),
  serverless: { syncSecret: process.env.CRON_SECRET },
  allowedOrigins: ['https://shop.example'],
  getShopper: async ({ request }) => (request.headers.has('cookie') ? user : undefined),
  policy: ({ shopper }) => ({ params: { walletAddress: shopper.id } }),
  deliver: (order: OrderToDeliver) => void order.checkout.subject,
  review: 'log',
});
export const responses: Promise<Response>[] = [functions.handler(new Request('https://a.example'))];

// @ts-expect-error The secret key is missing.
export const wrong = () => createWidgetSigner({ partnerId: 'partner' });

export const texts = [typeof buildWidgetPayload, typeof buildRequestPayload];

export const testBackend = createTestBackend({
  context: user,
  getShopper: ({ context }) => context,
  policy: ({ selection, shopper }) => ({
    params: { walletAddress: chooseWallet(selection, shopper.wallets) },
  }),
});
export const isDelivered = (orderId: string) =>
  testBackend.deliveries.some((order) => order.orderId === orderId);
export const webhookBody: string = signedWebhook({ ext: 'r1' }).body;
