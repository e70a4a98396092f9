import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '@partner-ramp/react/sandbox';
import { createRamp, memoryOrderStore, type Ramp } from '@partner-ramp/react/server';
import { root } from '../support/root.js';
import { buildPageScript } from '../support/shop/buildPageScript.js';
import { startSite } from '../support/shop/startSite.js';

/**
 * A page as the guides show it: a button, and a card that shows the checkout of the same RampProvider. The query sets
 * `widgetUrl`, and the props of the button.
 */
const script = `
import { createElement as h, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CheckoutStatus, OnRampButton, RampProvider } from '@partner-ramp/react';
const { widgetUrl, ...props } = Object.fromEntries(new URLSearchParams(location.search));
window.opened = [];
const onOpen = ({ reference }) => window.opened.push(reference);
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(StrictMode, null,
    h(RampProvider, { widgetUrl, api: '/api/ramp' }, h(OnRampButton, { ...props, onOpen }), h(CheckoutStatus))),
);
`;

/** A shop on the sandbox that records which checkouts its backend signs. */
export interface CountedShop {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly origin: string;
  /** The references of the signed checkouts, in the order in which they were signed. */
  readonly signed: string[];
  close(): Promise<void>;
}

/** @param stepMs - How long an order takes for each step. An order is listed two steps after its payment. */
export async function startCountedShop(
  stepMs: number,
  pollSeconds = 1,
  options: SandboxOptions = {},
): Promise<CountedShop> {
  const sandbox = await startSandbox({ ...options, stepMs });
  const signed: string[] = [];
  let ramp: Ramp | undefined;
  const css = readFileSync(join(root, 'dist/styles.css'), 'utf8');
  const code = (await buildPageScript(script)).replaceAll('</script', '<\\/script');
  const html = `<!doctype html><html lang="en"><title>Shop</title><style>${css}</style><body><script>${code}</script>`;
  const site = await startSite((origin) => {
    ramp = createRamp({
      apiUrl: sandbox.baseUrl,
      partnerId: sandbox.partnerId,
      secretKey: sandbox.secretKey,
      apiPrivateKey: sandbox.apiPrivateKey,
      store: memoryOrderStore(),
      allowedOrigins: [origin],
      getShopper: () => ({ id: 'shopper' }),
      policy: () => ({
        params: { walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' },
      }),
      deliver() {},
      review() {},
      pollSeconds,
    });
    const { handler } = ramp;
    ramp.start();
    return async (request) => {
      if (!new URL(request.url).pathname.startsWith('/api/ramp/'))
        return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      const response = await handler(request);
      const { reference, params } = await readJson(response.clone());
      if (params) signed.push(reference);
      return response;
    };
  });
  return {
    sandbox,
    signed,
    origin: site.origin,
    url: `${site.origin}/?${new URLSearchParams({ widgetUrl: sandbox.widgetUrl })}`,
    async close() {
      await site.close();
      await ramp?.stop();
      await sandbox.close();
    },
  };
}

/** Reads the body of a response. Some responses have none. */
async function readJson(response: Response): Promise<{ reference: string; params?: object }> {
  const text = await response.text();
  return JSON.parse(text || '{}');
}
