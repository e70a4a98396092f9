import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { chromium } from 'playwright';
import { verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../../../scripts/ports.mjs';
import { contextOptions, launchOptions } from '../../../support/browser/launchOptions.js';
import { buyInPage } from '../../../support/packaging/buyInPage.js';
import { installExample } from '../../../support/packaging/installExample.js';
import { runNode } from '../../../support/packaging/runNode.js';
import { createExampleEnvironment, startExample } from '../../../support/packaging/startExample.js';
import { type ChildServer, startChild } from '../../../support/shop/startChild.js';

describe('examples/siwe', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  let server: ChildServer | undefined;
  let sandbox: Sandbox | undefined;

  beforeAll(async () => {
    example = await installExample('siwe');
  });
  afterEach(async () => {
    await server?.close();
    await sandbox?.close();
    server = sandbox = undefined;
  });
  afterAll(() => example?.remove());

  it('sells to the wallet that signed, up to "Delivered", with `npm run dev`', async () => {
    const running = await startExample(example.folder);
    server = running;
    const { printed } = await buyInPage(running.url, 'Buy ETH', async (page) => {
      await page.getByRole('button', { name: 'Connect Mock Connector' }).click();
      await page.getByRole('button', { name: 'Sign in with this wallet' }).click();
      await page.getByText('You have proved that this wallet is yours.').waitFor();
    });
    expect(printed).toEqual([]);
    expect(running.logs()).not.toMatch(/error|warn|not found/i);
  });

  it('tells a shopper who has not signed in to do so, and signs nothing', async () => {
    const running = await startExample(example.folder);
    server = running;
    const browser = await chromium.launch(launchOptions);
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ ...contextOptions, locale: 'en-GB' });
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/ramp/checkouts')) statuses.push(response.status());
    });
    await page.goto(running.url);
    await page.getByRole('button', { name: 'Connect Mock Connector' }).click();
    await page.getByRole('button', { name: 'Buy ETH' }).click();
    await page.getByText('Sign in to buy.').first().waitFor();
    expect([...new Set(statuses)]).toEqual([401]);
  });

  it('sells with `npm start` to a wallet of the browser, and exports the proof', async () => {
    const { folder } = example;
    const address = `http://localhost:${await findFreePort()}`;
    sandbox = await startSandbox({ webhookUrl: `${address}/api/ramp/webhook` });
    const env = createExampleEnvironment(sandbox, address);
    await runNode([join(folder, 'node_modules/vite/bin/vite.js'), 'build'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    server = await startChild(['server.js'], { url: address, env, cwd: folder });
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { printed } = await buyInPage(address, 'Buy ETH', async (page) => {
      await page.exposeFunction('signInWallet', (raw: `0x${string}`) =>
        wallet.signMessage({ message: { raw } }),
      );
      // An extension sets window.ethereum like this (EIP-1193).
      await page.addInitScript((account) => {
        const request = async ({ method, params }: { method: string; params?: string[] }) => {
          if (method === 'eth_chainId') return '0x1';
          if (/^eth_(requestA|a)ccounts$/.test(method)) return [account];
          if (method === 'personal_sign')
            return (window as never as { signInWallet(raw?: string): unknown }).signInWallet(
              params?.[0],
            );
          throw Object.assign(new Error(`no ${method}`), { code: 4200 });
        };
        Object.assign(window, { ethereum: { request, on() {}, removeListener() {} } });
      }, wallet.address);
      await page.reload();
      await page.getByRole('button', { name: 'Connect Injected' }).click();
      await page.getByRole('button', { name: 'Sign in with this wallet' }).click();
      await page.getByText('You have proved that this wallet is yours.').waitFor();
    });
    expect(printed).toEqual([]);
    expect(server.logs()).toBe('');
    const [order] = sandbox.orders();
    const output = await runNode(['exportProof.js', `${order?.ext}`], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const proof = JSON.parse(output);
    expect(proof.walletAddress).toBe(wallet.address);
    expect(proof.orderIds).toEqual([order?.orderId]);
    expect(await verifyMessage({ ...proof, address: proof.walletAddress })).toBe(true);
  });
});
