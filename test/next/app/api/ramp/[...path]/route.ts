import { createRamp, memoryOrderStore, type Ramp } from '@partner-ramp/react/server';

let ramp: Ramp | undefined;

/** Creates the ramp at the first request, because `next build` loads this module without the keys. */
function respond(request: Request): Promise<Response> {
  const { env } = process;
  ramp ??= createRamp({
    apiUrl: env.RAMP_API_URL,
    partnerId: env.RAMP_PARTNER_ID,
    secretKey: env.RAMP_SECRET_KEY,
    apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
    allowedOrigins: [env.SHOP_ORIGIN ?? ''],
    getShopper: () => ({ id: 'shopper' }),
    policy: ({ widget }) => ({
      params:
        widget === 'nft'
          ? {
              contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
              nftNetwork: 'arbitrum',
              type: 'MINT',
              mintQuantity: '1',
              cryptoCurrency: 'ETH',
              amount: '0.050',
              transferWalletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
              walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
              walletAddressTag: '',
            }
          : { walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' },
    }),
    deliver() {},
    review: 'log',
    // In production, the ramp reports this memory store to onError. shop.test.ts expects that message.
    store: memoryOrderStore(),
    onError: console.error,
  });
  return ramp.handler(request);
}

export const GET = respond;
export const POST = respond;
