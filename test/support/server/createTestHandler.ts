import { expect } from 'vitest';
import { createRampHandler } from '../../../src/server/handler/createRampHandler.js';
import type { RampHandler, RampHandlerOptions } from '../../../src/server/handler/options.js';
import {
  type CheckoutPolicy,
  createWidgetSigner,
  memoryOrderStore,
} from '../../../src/server/index.js';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import { createFakeApi } from './createFakeApi.js';
import { createFakeTracker } from './createFakeTracker.js';
import { testRuntime } from './testRuntime.js';

export const origin = 'https://shop.example';
export const secretKey = 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D';
export const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const policy: CheckoutPolicy = () => ({ params: { walletAddress: wallet } });

/** Creates a handler on a memory store for the shopper `u1`, with the options of a test. */
export const createTestHandler = <Context = unknown>(
  options: Partial<RampHandlerOptions<Context>> = {},
  runtime: Partial<Runtime> = {},
) =>
  createRampHandler<Context>(
    {
      signer: createWidgetSigner({ partnerId: 'p1', secretKey }),
      allowedOrigins: [origin],
      store: memoryOrderStore(),
      api: createFakeApi(),
      tracker: createFakeTracker(),
      getShopper: () => ({ id: 'u1' }),
      policy,
      ...options,
    },
    testRuntime(runtime),
  );

export interface TestRequest {
  body?: unknown;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

export const callHandler = async (handler: RampHandler, sent: TestRequest = {}) => {
  const { body = { widget: 'on-ramp', params: {} }, method = 'POST', headers = {} } = sent;
  const response = await handler(
    new Request(`https://shop.example${sent.path ?? '/api/ramp/checkouts'}`, {
      method,
      headers: { origin, 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  expect(text).not.toContain(secretKey);
  return { response, status: response.status, json: text ? JSON.parse(text) : undefined };
};
