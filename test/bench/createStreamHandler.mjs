import { createRampHandler, createWidgetSigner } from '@partner-ramp/react/server';

/**
 * Creates a handler that serves event streams, and saves a checkout for each reference.
 *
 * @param {import('@partner-ramp/react/server').OrderStore} store
 * @param {readonly string[]} references
 */
export async function createStreamHandler(store, references) {
  const createdAt = Math.floor(Date.now() / 1000);
  const intent = { widget: 'on-ramp', subject: 'u1', params: {}, createdAt };
  for (const reference of references)
    await store.saveIntent({ ...intent, reference, expiresAt: createdAt + 86_400 });
  return createRampHandler({
    signer: createWidgetSigner({ partnerId: 'p1', secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D' }),
    policy: () => ({ params: {}, subject: 'u1' }),
    allowedOrigins: ['https://shop.example'],
    store,
    getSubject: 'anyone',
    maxStreams: { perSubject: references.length, total: references.length },
  });
}
