import { randomBytes } from 'node:crypto';
import { type Sandbox, type SandboxOptions, startSandbox } from '@partner-ramp/react/sandbox';
import { findFreePort } from '../../../scripts/ports.mjs';
import { createSandboxClient } from '../../../test/support/sandbox/createSandboxClient.js';
import type { Config } from '../../src/config/readConfig.js';
import { type Shop, startShop } from './startShop.js';

/** A shop with a sandbox that sends its webhooks to it. */
export interface SandboxShop {
  readonly sandbox: Sandbox;
  readonly shop: Shop;
  /** The configuration for a further instance. */
  readonly config: Partial<Config>;
  close(): Promise<void>;
}

export async function sandboxShop(
  changes: Partial<Config> = {},
  options: SandboxOptions = {},
): Promise<SandboxShop> {
  const port = await findFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/api/ramp/webhook`;
  const sandbox = await startSandbox({ stepMs: 0, settleMs: 60_000, webhookUrl, ...options });
  const config: Partial<Config> = {
    port,
    webhookUrl,
    widgetUrl: sandbox.widgetUrl,
    apiUrl: sandbox.baseUrl,
    partnerId: sandbox.partnerId,
    secretKey: sandbox.secretKey,
    apiPrivateKey: sandbox.apiPrivateKey,
    webhookPublicKey: sandbox.webhookPublicKey,
    ...changes,
  };
  const shop = await startShop(config);
  shop.start();
  const close = async () => {
    await shop.close();
    await sandbox.close();
  };
  return { sandbox, shop, config, close };
}

/** Creates a unique e-mail address. */
export const createEmail = () => `${randomBytes(8).toString('hex')}@canary.example`;

interface SignedCheckout {
  readonly reference: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Requests a checkout from the shop as its page does, and throws the message of a refusal. */
export async function requestCheckout(
  visitor: Awaited<ReturnType<Shop['visit']>>,
  print?: Record<string, string>,
): Promise<SignedCheckout> {
  const response = await visitor.checkout(print, print ? 'nft' : 'on-ramp');
  const body = await response.json();
  if (response.status !== 201) throw new Error(body.error.message);
  return body;
}

/** Pays a checkout in the hosted widget. */
export async function pay(
  sandbox: Sandbox,
  { params }: SignedCheckout,
  email = createEmail(),
): Promise<void> {
  const client = createSandboxClient(sandbox, Date.now);
  const url = `${sandbox.widgetUrl}/home?${new URLSearchParams(params)}`;
  const { session } = await client.data(url);
  const choice =
    'contractAddress' in params
      ? { fiatCurrency: 'USD' }
      : { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
  await client.post('/home/quote', { session, ...choice });
  const { status, body } = await client.post('/home/orders', { session, ...choice, email });
  if (status !== 201) throw new Error(JSON.stringify(body));
}
