import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
} from '../../../src/protocol/api/parseResources.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import { createApiClient } from '../../support/sandbox/createApiClient.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('createIconRoutes', () => {
  it('serves every icon of the API as a cacheable image for any origin', async () => {
    const { get } = createApiClient(sandbox, Date.now);
    const data = async (operation: string) => parseEnvelope((await get(operation)).json);
    const named = [
      ...parseFiatCurrencies(await data('currency')).flatMap((fiat) => fiat.paymentOptions),
      ...parseCryptoCurrencies(await data('token')),
    ];
    const icons = new Set(named.map(({ icon }) => icon));
    expect(icons.size).toBe(18);
    for (const icon of icons) {
      expect(icon).toMatch(new RegExp(`^${sandbox.baseUrl}/icons/`));
      const response = await fetch(icon ?? '');
      expect([icon, response.status]).toEqual([icon, 200]);
      expect(response.headers.get('content-type')).toBe('image/svg+xml');
      expect(response.headers.get('cache-control')).toContain('max-age');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    }
  });

  it.each(['/icons/NONE.svg', '/icons/crypto/DOGE.svg', '/icons/__proto__.svg', '/icons/PIX'])(
    'returns 404 for other paths: %s',
    async (path) => {
      expect((await fetch(new URL(path, sandbox.baseUrl))).status).toBe(404);
    },
  );
});
