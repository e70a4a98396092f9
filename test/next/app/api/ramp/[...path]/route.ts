import {
  createPartnerApi,
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
  type RampHandler,
} from '@partner-ramp/react/server';

let handler: RampHandler | undefined;

/** Creates the handler at the first request, because `next build` loads this module without the keys. */
function respond(request: Request): Promise<Response> {
  const { env } = process;
  const partnerId = env.RAMP_PARTNER_ID ?? '';
  handler ??= createRampHandler({
    signer: createWidgetSigner({ partnerId, secretKey: env.RAMP_SECRET_KEY ?? '' }),
    api: createPartnerApi({
      baseUrl: env.RAMP_API_URL ?? '',
      partnerId,
      privateKey: env.RAMP_API_PRIVATE_KEY ?? '',
    }),
    allowedOrigins: [env.SHOP_ORIGIN ?? ''],
    policy: ({ widget }) => ({
      params:
        widget === 'nft'
          ? {
              contractAddress: '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
              nftNetwork: 'arbitrum',
              type: 'MINT',
              mintQuantity: '1',
              cryptoCurrency: 'ETH',
              amount: '0.050',
              transferWalletAddress: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e',
              walletAddress: '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF',
              walletAddressTag: '',
            }
          : { walletAddress: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e' },
      subject: 'shopper',
    }),
    // In production, the handler reports this memory store to onError. shop.test.ts expects that message.
    store: memoryOrderStore(),
    onError: console.error,
  });
  return handler(request);
}

export const GET = respond;
export const POST = respond;
