// The backend that `testHandlerConformance` tests in every server and runtime: the built package, with every option of
// the handler that has a route. It is JavaScript, so that every runtime loads it as it is.
import { chooseWallet, createRamp, memoryOrderStore } from '@partner-ramp/react/server';

/**
 * Creates the handler of a backend.
 *
 * @param env - The variables of `listShopVariables`, and `CRON_SECRET`.
 * @param options - The store, `waitUntil`, and further options of `createRamp`.
 */
export function createBackend(env, { store = memoryOrderStore(), waitUntil, ...options } = {}) {
  const ramp = createRamp({
    apiUrl: env.RAMP_API_URL,
    partnerId: env.RAMP_PARTNER_ID,
    secretKey: env.RAMP_SECRET_KEY,
    apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
    webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
    webhookUrl: env.RAMP_WEBHOOK_URL,
    store,
    // Not every runtime keeps timers, so scheduled jobs sync. The shortest pauses let the tests request many syncs.
    serverless: { syncSecret: env.CRON_SECRET, waitUntil },
    pollSeconds: 1,
    maxPollSeconds: 1,
    allowBearer: true,
    allowedOrigins: env.SHOP_ORIGIN.split(','),
    getShopper: ({ context }) => ({ id: context.user }),
    policy: ({ selection }) => ({
      params: {
        walletAddress: chooseWallet(selection, wallets),
        walletAddressLocked: '1',
      },
    }),
    deliver() {},
    review() {},
    onError: (error) => {
      // Tests cause the other errors on purpose.
      // biome-ignore lint/suspicious/noConsole: the output of the server under test
      if (error.code === 'ERR_INTERNAL') console.error(error, error.cause);
    },
    ...options,
  });
  return ramp.handler;
}

const wallets = {
  evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
  bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};

/** Returns the context of a request: the user that its bearer token or its cookie names. */
export function getContext({ authorization = '', cookie = '' }) {
  const named = /^bearer (\w+)$/i.exec(authorization) ?? /(?:^|; )user=(\w+)/.exec(cookie);
  return { user: named?.[1] ?? 'demo' };
}

/** Responds to a Fetch request. If it has a session that rolls, the response renews it, as that of a shop does. */
export async function respond(handler, request) {
  const headers = Object.fromEntries(request.headers);
  const response = await handler(request, getContext(headers));
  if (/(?:^|; )rolling=/.test(headers.cookie))
    response.headers.append('Set-Cookie', 'rolling=renewed; Path=/; HttpOnly');
  return response;
}
