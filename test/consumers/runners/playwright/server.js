// A shop with the element <ramp-button>. It reads the variables of the examples.
import { readFile } from 'node:fs/promises';
import { serve } from '@hono/node-server';
import { createRamp, memoryOrderStore } from '@partner-ramp/react/server';
import { Hono } from 'hono';

const { env } = process;
const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const ramp = createRamp({
  apiUrl: env.RAMP_API_URL,
  partnerId: env.RAMP_PARTNER_ID,
  secretKey: env.RAMP_SECRET_KEY,
  apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
  webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
  webhookUrl: env.RAMP_WEBHOOK_URL,
  store: memoryOrderStore(),
  allowedOrigins: [env.SHOP_ORIGIN],
  pollSeconds: 1,
  getShopper: () => ({ id: 'demo' }),
  policy: ({ widget, proposal }) => ({
    params: widget === 'nft' ? { walletAddressTag: '', ...proposal } : { walletAddress: wallet },
  }),
  deliver() {},
  review: 'log',
});

const page = `<!doctype html>
<html lang="en">
  <head>
    <title>Shop</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/ramp/styles.css" />
    <script type="module" src="/ramp/ramp-button.js"></script>
  </head>
  <body>
    <ramp-button widget-url="${env.RAMP_WIDGET_URL}" api="/api/ramp" amount="100">Buy crypto</ramp-button>
  </body>
</html>`;

const folder = new URL('.', import.meta.resolve('@partner-ramp/react/browser/ramp-button.js'));
const types = { js: 'text/javascript', css: 'text/css' };
const app = new Hono();
app.all('/api/ramp/*', (c) => ramp.handler(c.req.raw));
app.get('/', (c) => c.html(page));
app.get('/ramp/:name{[\\w.-]+\\.(js|css)}', async (c) => {
  const name = c.req.param('name');
  return c.body(await readFile(new URL(name, folder)), 200, {
    'Content-Type': types[name.split('.').at(-1)],
  });
});
serve({ fetch: app.fetch, port: env.PORT });
ramp.start();
