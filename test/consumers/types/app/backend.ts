import { buildRequestPayload, buildWidgetPayload } from '@partner-ramp/react/protocol';
import { startSandbox } from '@partner-ramp/react/sandbox';
import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
  RampError,
} from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { createTestBackend, signedWebhook } from '@partner-ramp/react/testing';
import type { RequestHandler } from 'express';
import type { Kysely } from 'kysely';

interface User {
  readonly id: string;
  readonly wallet: string;
}

export async function backend(db?: Kysely<unknown>): Promise<RequestHandler> {
  const { partnerId, secretKey, baseUrl, apiPrivateKey, webhookPublicKey } = await startSandbox();
  const api = createPartnerApi({ partnerId, privateKey: apiPrivateKey, baseUrl });
  const store = db ? sqlOrderStore(db as never) : memoryOrderStore();
  const tracker = createOrderTracker({ api, store, onOrderChange: (change) => void change });
  const handler = createRampHandler<User | undefined>({
    signer: createWidgetSigner({ partnerId, secretKey }),
    api,
    store,
    tracker,
    webhooks: createWebhookVerifier({
      publicKey: webhookPublicKey,
      url: 'https://shop.example/api/ramp/webhook',
      replays: store,
    }),
    allowedOrigins: ['https://shop.example'],
    policy: ({ context: user }) => {
      if (!user) throw new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
      return { params: { walletAddress: user.wallet, walletAddressLocked: '1' }, subject: user.id };
    },
    getSubject: ({ context }) => context?.id,
  });
  return toExpress(handler, { context: () => ({ id: '1', wallet: '0x1' }) });
}

// @ts-expect-error The secret key is missing.
export const wrong = () => createWidgetSigner({ partnerId: 'partner' });

export const texts = [typeof buildWidgetPayload, typeof buildRequestPayload];

export const testBackend = createTestBackend<User>({
  context: { id: '1', wallet: '0x1' },
  policy: ({ context }) => ({ params: { walletAddress: context.wallet }, subject: context.id }),
});
export const isDelivered = (orderId: string) =>
  testBackend.deliveries.some(({ record }) => record.order.orderId === orderId);
export const webhookBody: string = signedWebhook({ ext: 'r1' }).body;
