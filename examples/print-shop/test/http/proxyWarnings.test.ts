import { describe, expect, it } from 'vitest';
import { startShop } from '../support/startShop.js';

const HTTP = ['http://127.0.0.1:4000'];
const HTTPS = ['https://shop.example'];

async function warningsOf(trustProxy: number, shopOrigins: readonly string[], requests: number) {
  const shop = await startShop({ trustProxy, shopOrigins });
  for (let index = 0; index < requests; index++)
    await fetch(`${shop.url}/health`, { headers: { 'X-Forwarded-For': `203.0.113.${index}` } });
  await shop.close();
  return shop
    .logs()
    .split('\n')
    .filter((line) => line.includes('TRUST_PROXY'))
    .map((line): string => JSON.parse(line).msg);
}

describe('The warnings about TRUST_PROXY', () => {
  it('report at start that https pages need a trusted proxy', async () => {
    expect(await warningsOf(0, HTTPS, 0)).toEqual([
      expect.stringMatching(/^SHOP_ORIGIN is https.*Set TRUST_PROXY to the number of proxies\.$/),
    ]);
  });

  it('report once that forwarded addresses are ignored', async () => {
    expect(await warningsOf(0, HTTP, 3)).toEqual([
      expect.stringMatching(/^a request has X-Forwarded-For, but TRUST_PROXY is 0\. /),
    ]);
  });

  it.each([
    ['with a trusted proxy', 1, HTTPS, 2],
    ['without any proxy', 0, HTTP, 0],
  ])('are absent %s', async (_what, trustProxy, origins, requests) => {
    expect(await warningsOf(trustProxy, origins, requests)).toEqual([]);
  });
});
