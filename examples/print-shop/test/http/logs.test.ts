import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/http/createLogger.js';
import { createEmail, pay, requestCheckout, sandboxShop } from '../support/sandboxShop.js';
import { config, startShop } from '../support/startShop.js';

const CANARY = 'canary-that-must-not-be-logged';

describe('The logs', { timeout: 60_000 }, () => {
  it('contain no key, cookie, signature, query or body after valid and invalid requests', async () => {
    const shop = await startShop();
    const shopper = await shop.visit();
    const headers = { Authorization: `Bearer ${CANARY}`, 'X-Fp-Signature': CANARY };
    const signed = await (await shopper.checkout()).json();
    const { wallets } = await shopper.session();
    await shopper.send(`/health?token=${CANARY}`, { headers });
    await shopper.send(`/?signature=${CANARY}`, { headers });
    await shopper.post('/api/ramp/checkouts', `{"widget":"${CANARY}`, headers);
    await shopper.checkout({ [CANARY]: CANARY });
    await shopper.checkout({ walletAddress: `${CANARY}&x=1` });
    await shopper.post('/api/session', `{"account":"${CANARY}`, headers);
    // This body is malformed JSON. The error of JSON.parse quotes it, but the log must not.
    await shopper.post('/api/session', '{"account": zq9x}');
    await shopper.post('/api/session', { account: CANARY }, { Origin: CANARY });
    await shopper.post('/api/session', { account: 'b' });
    const cookies = [...shopper.jar.values()];
    await shop.close();

    const logs = shop.logs();
    expect(logs.match(/"request completed"/g)?.length).toBeGreaterThan(8);
    expect(cookies).toHaveLength(2);
    const secrets = [
      ...cookies,
      CANARY,
      'zq9x',
      config.secretKey,
      config.sessionSecret,
      signed.params.signature,
      wallets?.evm ?? '',
      wallets?.bitcoin ?? '',
    ];
    for (const secret of secrets) expect(logs.includes(secret)).toBe(false);
  });

  it('contain no personal data, signed text or credential after an order', async () => {
    const { shop, sandbox, close } = await sandboxShop({ operatorPassword: CANARY });
    const [shopper, operator] = [await shop.visit(), await shop.visit()];
    const { wallets } = await shopper.session();
    await operator.login('wrong-canary-password');
    await operator.login(CANARY);
    const checkout = await requestCheckout(shopper, { merchantUniqueId: 'print-0175' });
    const email = createEmail();
    await pay(sandbox, checkout, email);
    await vi.waitFor(
      async () => {
        const { orders } = await operator.json('/api/operator/orders');
        expect(orders).toMatchObject([{ fulfilment: 'delivered' }]);
      },
      { timeout: 20_000, interval: 100 },
    );
    const headers = { 'X-Fp-Signature': CANARY, 'X-Fp-Timestamp': '1', 'X-Fp-Nonce': '1' };
    await shopper.post('/api/ramp/webhook', { ext: checkout.reference, email }, headers);
    await shopper.send(`/api/orders?references=${CANARY}`);
    const cookies = [...shopper.jar.values(), ...operator.jar.values()];
    await close();

    const logs = shop.logs();
    expect(logs).toContain('/api/ramp/webhook');
    expect(logs).toContain('webhooks refused');
    expect(cookies).toHaveLength(5);
    const { signature, transferWalletAddress, externalCustomerId } = checkout.params;
    for (const secret of [
      ...cookies,
      CANARY,
      'wrong-canary-password',
      email,
      wallets?.evm ?? '',
      wallets?.bitcoin ?? '',
      signature ?? '',
      transferWalletAddress ?? '',
      externalCustomerId ?? '',
      sandbox.secretKey,
      sandbox.webhookPublicKey.split('\n')[1] ?? '',
      sandbox.apiPrivateKey.split('\n')[1] ?? '',
    ]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(logs.includes(secret)).toBe(false);
    }
  });

  it('redact headers that other code logs, and properties of errors', () => {
    let logs = '';
    const logger = createLogger('info', {
      write(line) {
        logs += line;
      },
    });
    const headers = { authorization: CANARY, cookie: CANARY, 'x-fp-signature': CANARY };
    logger.info({ req: { headers }, res: { headers: { 'set-cookie': CANARY } } });
    logger.info({ headers });
    const cause = Object.assign(new Error('broken'), { body: CANARY, code: 'ERR_DEMO' });
    logger.error({ err: new Error('outer', { cause }) });
    expect(logs).not.toContain(CANARY);
    expect(logs).toContain('[redacted]');
    expect(logs).toContain('ERR_DEMO');
  });
});
