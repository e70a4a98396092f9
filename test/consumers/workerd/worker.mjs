// A backend for Cloudflare's runtime; workerd.test.ts bundles it.
import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
} from '@partner-ramp/react/server';

let handler;

function createHandler(env) {
  const partnerId = env.RAMP_PARTNER_ID;
  const store = memoryOrderStore();
  const api = createPartnerApi({
    baseUrl: env.RAMP_API_URL,
    partnerId,
    privateKey: env.RAMP_API_PRIVATE_KEY,
  });
  return createRampHandler({
    signer: createWidgetSigner({ partnerId, secretKey: env.RAMP_SECRET_KEY }),
    webhooks: createWebhookVerifier({
      publicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
      url: env.RAMP_WEBHOOK_URL,
      replays: store,
    }),
    api,
    store,
    // In workerd, timers end with their request. So each webhook reads the orders within its own request.
    tracker: createOrderTracker({ api, store, onOrderChange: () => {}, timers: false }),
    allowedOrigins: [env.SHOP_ORIGIN],
    policy: () => ({
      params: {
        walletAddress: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e',
        walletAddressLocked: '1',
      },
      subject: 'u1',
    }),
    getSubject: () => 'u1',
  });
}

export default {
  fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return new Response('ready');
    handler ??= createHandler(env);
    return handler(request);
  },
};
