import {
  createRamp,
  memoryOrderStore,
  type RampOptions,
  type Shopper,
} from '../../../src/server/index.js';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };
import { origin, secretKey, wallet } from './createTestHandler.js';
import { testRuntime } from './testRuntime.js';

/** Returns the required options of `createRamp`, with a memory store and the shopper `u1`. */
export const createRampOptions = (): RampOptions<Shopper, unknown, unknown> => ({
  apiUrl: 'https://api.example',
  partnerId: 'p1',
  secretKey,
  apiPrivateKey: vectors.keys.apiPrivateKey,
  store: memoryOrderStore(),
  allowedOrigins: [origin],
  getShopper: () => ({ id: 'u1' }),
  policy: () => ({ params: { walletAddress: wallet } }),
  deliver() {},
  review() {},
});

/** Calls `createRamp` with its required options and those of a test. */
export const createTestRamp = (
  options: Partial<RampOptions<Shopper, unknown, unknown>> = {},
  runtime: Partial<Runtime> = {},
) => createRamp({ ...createRampOptions(), ...options }, testRuntime(runtime));
