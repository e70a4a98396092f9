import { describe, expect, it, vi } from 'vitest';
import {
  createPartnerApi,
  createWidgetSigner,
  memoryOrderStore,
} from '../../../../src/server/index.js';
import { createPartnerClaim } from '../../../../src/server/orders/store/partnerClaim.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import {
  callHandler,
  createTestHandler,
  secretKey,
} from '../../../support/server/createTestHandler.js';
import { apiPrivateKey as privateKey } from '../../../support/server/startUpstream.js';
import { findWork } from '../../../support/server/syncStates.js';

const refused = { code: 'ERR_CONFIG_INVALID', message: expect.stringContaining('another partner') };

describe('createPartnerClaim', () => {
  const claimOf =
    (store = memoryOrderStore()) =>
    (partnerId: string | undefined, baseUrl?: string) =>
      createPartnerClaim('createRamp', store, {
        partnerId,
        ...(baseUrl !== undefined && { api: { baseUrl } }),
      })();

  it.each([
    ['another partner ID', 'p2', 'https://api.example'],
    ['another environment', 'p1', 'https://test.example'],
    ['a sandbox', 'p1', 'http://127.0.0.1:4000'],
  ])('refuses %s', async (_, partnerId, baseUrl) => {
    const claim = claimOf();
    await claim('p1', 'https://api.example');
    await expect(claim(partnerId, baseUrl)).rejects.toMatchObject(refused);
    await claim('p1', 'https://api.example/v2');
  });

  it('accepts a sandbox on another port, and a handler without an api', async () => {
    const claim = claimOf();
    await claim('p1', 'http://127.0.0.1:4000');
    await claim('p1', 'http://localhost:4001');
    await claim('p1');
    await claim(undefined);
  });

  it('asks the store once, and again after an error', async () => {
    const store = memoryOrderStore();
    const claimPartner = vi.spyOn(store, 'claimPartner').mockRejectedValueOnce(new Error('down'));
    const claim = createPartnerClaim('createRamp', store, { partnerId: 'p1' });
    await expect(claim()).rejects.toThrow('down');
    await Promise.all([claim(), claim()]);
    await claim();
    expect(claimPartner).toHaveBeenCalledTimes(2);
  });
});

describe('a store that belongs to another partner', () => {
  const setUp = async () => {
    const store = memoryOrderStore();
    await store.claimPartner({ partnerId: 'p1', environment: undefined });
    const requests = vi.fn(async () => new Response());
    const api = createPartnerApi({
      baseUrl: 'https://api.example',
      partnerId: 'p2',
      privateKey,
      fetch: requests,
    });
    return { store, requests, api };
  };

  it.each([true, false])('is refused by a tracker with isServerless: %s', async (isServerless) => {
    const { store, requests, api } = await setUp();
    const tracker = createOrderTracker({
      store,
      api,
      isServerless,
      deliver() {},
      review() {},
      onError() {},
    });
    await expect(tracker.sync()).rejects.toMatchObject(refused);
    if (isServerless)
      await expect(tracker.sync({ onlyIfDue: true })).rejects.toMatchObject(refused);
    expect(requests).not.toHaveBeenCalled();
  });

  it('is refused by the handler, which signs nothing', async () => {
    const { store } = await setUp();
    const onError = vi.fn();
    const signer = createWidgetSigner({ partnerId: 'p2', secretKey });
    const handler = createTestHandler({ store, signer, onError });
    expect((await callHandler(handler)).status).toBe(500);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining(refused));
    expect((await findWork(store)).newestCheckoutAt).toBeUndefined();
  });
});
