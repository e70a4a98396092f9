import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import {
  createRamp,
  memoryOrderStore,
  type OrderStore,
  type Ramp,
} from '@partner-ramp/react/server';
import { root } from '../../support/root.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import { buildPageScript } from '../../support/shop/buildPageScript.js';
import { startSite } from '../../support/shop/startSite.js';

/** The wallet of every shopper. On-ramp checkouts lock it. */
export const WALLET = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

/**
 * A shop without code of its own for orders. Its page `/` has a button with the `display` and the `widget` of the
 * query, and the note about a checkout in progress. Its page `/orders` has the list of checkouts.
 */
const script = `
import { createElement as h, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import {
  CheckoutHistory, CheckoutInProgress, NftCheckout, OnRampButton, RampProvider,
} from '@partner-ramp/react';
const { display, widget } = Object.fromEntries(new URLSearchParams(location.search));
const settings = { widgetUrl: window.widgetUrl, api: '/api/ramp' };
const button = widget === 'nft'
  ? h(NftCheckout, { display, merchantUniqueId: 'print' }, 'Buy')
  : h(OnRampButton, { display, amount: '100' }, 'Buy');
const content = location.pathname === '/orders'
  ? h(CheckoutHistory)
  : [h(CheckoutInProgress, { key: 'note' }), h('div', { key: 'buy' }, button)];
// A list is polled every 20 seconds. Let the page poll as if the connection were back, so that tests need not wait.
setInterval(() => dispatchEvent(new Event('online')), 2000);
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(StrictMode, null, h(RampProvider, settings, content)),
);
`;

/** A shop on the sandbox whose shoppers are identified by the cookie `user`. */
export interface HistoryShop {
  readonly sandbox: Sandbox;
  readonly store: OrderStore;
  readonly origin: string;
  close(): Promise<void>;
}

/** @param stepMs - How long an order takes for each step. An order is listed two steps after its payment. */
export async function startHistoryShop(stepMs: number): Promise<HistoryShop> {
  const sandbox = await startSandbox({ stepMs });
  const store = memoryOrderStore();
  let ramp: Ramp | undefined;
  const css = readFileSync(join(root, 'dist/styles.css'), 'utf8');
  const code = (await buildPageScript(script)).replaceAll('</script', '<\\/script');
  const start = `window.widgetUrl = ${JSON.stringify(sandbox.widgetUrl)}`;
  const html = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><style>${css}</style><body><script>${start}</script><script>${code}</script>`;
  const getShopper = ({ request }: { readonly request: Request }) => {
    const id = /(?:^|; )user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1];
    return id === undefined ? undefined : { id };
  };
  const site = await startSite((origin) => {
    ramp = createRamp({
      apiUrl: sandbox.baseUrl,
      partnerId: sandbox.partnerId,
      secretKey: sandbox.secretKey,
      apiPrivateKey: sandbox.apiPrivateKey,
      store,
      allowedOrigins: [origin],
      getShopper,
      policy: ({ widget }) => ({
        params:
          widget === 'nft' ? mintListing : { walletAddress: WALLET, walletAddressLocked: '1' },
      }),
      deliver() {},
      review() {},
      pollSeconds: 1,
    });
    ramp.start();
    const { handler } = ramp;
    return (request) =>
      new URL(request.url).pathname.startsWith('/api/ramp/')
        ? handler(request)
        : new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  });
  return {
    sandbox,
    store,
    origin: site.origin,
    async close() {
      await site.close();
      await ramp?.stop();
      await sandbox.close();
    },
  };
}
