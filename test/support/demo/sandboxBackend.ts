import type { Sandbox } from '@partner-ramp/react/sandbox';
import {
  createPartnerApi,
  createRampHandler,
  createWidgetSigner,
  type OrderStore,
  type OrderTracker,
  type RampHandler,
} from '@partner-ramp/react/server';
import { mintListing } from '../sandbox/nftListings.js';

const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

/**
 * Creates the ramp handler of a shop at `origin`. It uses the sandbox as its service, and always sells to the same
 * wallet. With `orders` every caller can read the state of every checkout.
 */
export const sandboxBackend = (
  sandbox: Sandbox,
  origin: string,
  orders?: { readonly store: OrderStore; readonly tracker?: OrderTracker },
): RampHandler =>
  createRampHandler({
    signer: createWidgetSigner(sandbox),
    api: createPartnerApi({ ...sandbox, privateKey: sandbox.apiPrivateKey }),
    allowedOrigins: [origin],
    ...(orders && { ...orders, getSubject: 'anyone' }),
    policy: ({ widget }) => ({
      params: widget === 'nft' ? mintListing : { walletAddress: wallet },
      subject: 'shopper',
    }),
  });
