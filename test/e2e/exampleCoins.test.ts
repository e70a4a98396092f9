import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { listShopVariables } from '../../src/sandbox/variables.js';
import { contextOptions, launchOptions } from '../support/browser/launchOptions.js';
import { root } from '../support/root.js';
import { type ChildServer, startChild } from '../support/shop/startChild.js';

let browser: Browser;
let sandbox: Sandbox;
let shop: ChildServer;
let url: string;

beforeAll(async () => {
  browser = await chromium.launch(launchOptions);
  url = `http://localhost:${await findFreePort()}`;
  sandbox = await startSandbox({ webhookUrl: `${url}/api/ramp/webhook` });
  const env = { NODE_ENV: 'development', VITEST: '', ...listShopVariables(sandbox, url) };
  const cwd = join(root, 'examples/minimal');
  shop = await startChild(['server.js'], { url, env, cwd });
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await sandbox?.close();
});

it('the smallest example opens a checkout for each coin of its price card', async () => {
  const page = await browser.newPage({ ...contextOptions, locale: 'en-GB' });
  page.setDefaultTimeout(30_000);
  await page.goto(url);
  const pill = page.getByRole('button', { name: /USDT Ethereum/ });
  await pill.click();
  const coins = await page.getByRole('option').evaluateAll((options) => options.length);
  expect(coins).toBeGreaterThan(10);
  await page.keyboard.press('Escape');
  const refused: string[] = [];
  for (let i = 0; i < coins; i++) {
    await page.locator('.ramp-quote-pill').last().click();
    const option = page.getByRole('option').nth(i);
    const coin = await option.innerText();
    await option.click();
    await page.getByRole('button', { name: /^Buy [\d.,]+ / }).click();
    const dialog = page.locator('dialog iframe');
    const note = page.getByRole('alert').getByText(/./);
    await dialog.or(note).first().waitFor();
    if (await note.isVisible()) refused.push(`${coin}: ${await note.innerText()}`);
    else await page.getByRole('button', { name: 'Close the checkout' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
  }
  expect(refused).toEqual([]);
});
