import { spawn } from 'node:child_process';
import { addRampFixtures } from '@partner-ramp/react/testing/playwright';
import { test as base, expect } from '@playwright/test';

const test = addRampFixtures(base, {
  startShop: ({ env }) =>
    spawn('node', ['server.js'], { env: { ...process.env, ...env }, stdio: 'inherit' }),
});

test('a paid order whose webhook is lost is delivered', async ({ page, ramp }) => {
  ramp.loseNextWebhook();
  await page.goto('/');
  const widget = await ramp.openCheckout();
  await expect(widget.getByRole('button', { name: 'Continue' })).toBeVisible();
  await ramp.pay({ email: 'ann@example.com' });
  await ramp.expectDelivered();
  expect(ramp.orders()).toMatchObject([{ currencyAmount: '100.00' }]);
});

test('an unpaid checkout is not delivered', async ({ page, ramp }) => {
  await page.goto('/');
  await expect(ramp.expectDelivered()).rejects.toThrow('Call ramp.openCheckout() first.');
  await ramp.openCheckout(page.getByRole('button'));
  await expect(ramp.expectDelivered({ timeoutMs: 300 })).rejects.toThrow('returned waiting');
  expect(ramp.orders()).toEqual([]);
});
