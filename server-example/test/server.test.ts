import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { entry } from './support/startServer.js';
import { startShop, visit } from './support/startShop.js';

describe('the server', { timeout: 60_000 }, () => {
  it('stops on SIGTERM without waiting for idle connections', async () => {
    const shop = await startShop();
    await (await visit(shop, 'ann')).json('/api/session');
    const started = performance.now();
    await shop.close();
    expect(performance.now() - started).toBeLessThan(4000);
    expect(shop.logs()).not.toContain('Error');
  });

  it('does not start without the SecretKey, and names the option', async () => {
    const env = { ...process.env, DATABASE_FILE: ':memory:', RAMP_SECRET_KEY: '' };
    const run = promisify(execFile)(process.execPath, [entry], { env });
    await expect(run).rejects.toThrow(/ERR_CONFIG_INVALID/);
  });

  it('shows no stack of an error', async () => {
    const shop = await startShop();
    try {
      const response = await fetch(`${shop.url}/api/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"shopper": zq9x',
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: { message: 'The request failed.' } });
    } finally {
      await shop.close();
    }
  });
});
