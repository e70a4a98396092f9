import type { Sandbox } from '@partner-ramp/react/sandbox';
import {
  createRamp,
  memoryOrderStore,
  type OrderStore,
  type Ramp,
} from '@partner-ramp/react/server';
import { mintListing } from '../sandbox/nftListings.js';

const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

/**
 * Creates the backend of a shop at `origin`. It uses the sandbox as its service, always sells to the same wallet, and
 * takes every caller for the shopper `u1`. A test that needs orders calls `start()`.
 */
export const sandboxBackend = (
  sandbox: Sandbox,
  origin: string,
  store: OrderStore = memoryOrderStore(),
): Ramp =>
  createRamp({
    apiUrl: sandbox.baseUrl,
    partnerId: sandbox.partnerId,
    secretKey: sandbox.secretKey,
    apiPrivateKey: sandbox.apiPrivateKey,
    store,
    allowedOrigins: [origin],
    getShopper: () => ({ id: 'u1' }),
    policy: ({ widget }) => ({
      params: widget === 'nft' ? mintListing : { walletAddress: wallet },
    }),
    deliver() {},
    review() {},
    pollSeconds: 1,
  });
