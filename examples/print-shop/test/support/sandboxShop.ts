import { randomBytes } from 'node:crypto';
import { buildWidgetUrl } from '@partner-ramp/react/protocol';
import { type Sandbox, type SandboxOptions, startSandbox } from '@partner-ramp/react/sandbox';
import { findFreePort } from '../../../../scripts/ports.mjs';
import type { Config } from '../../src/config/readConfig.js';
import { type Shop, startShop } from './startShop.js';

/** A shop and a sandbox, which sends its webhooks to the shop. */
export interface SandboxShop {
  readonly sandbox: Sandbox;
  readonly shop: Shop;
  /** The shop's configuration, with which a test can start a second instance. */
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

export const createEmail = () => `${randomBytes(8).toString('hex')}@canary.example`;

interface SignedCheckout {
  readonly reference: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Requests a checkout as the shop's page does. If the shop refuses, throws an error with its message. */
export async function requestCheckout(
  visitor: Awaited<ReturnType<Shop['visit']>>,
  print?: Record<string, string>,
): Promise<SignedCheckout> {
  const response = await visitor.checkout(print, print ? 'nft' : 'on-ramp');
  const body = await response.json();
  if (response.status !== 201) throw new Error(body.error.message);
  return body;
}

/** Pays a checkout in the hosted widget. Returns the ID of the order. */
export const pay = (
  sandbox: Sandbox,
  { params }: SignedCheckout,
  email = createEmail(),
): Promise<string> =>
  sandbox.pay(buildWidgetUrl(sandbox.widgetUrl, params), {
    ...{ amount: '100', fiatCurrency: 'USD', cryptoCurrency: 'ETH' },
    email,
  });
