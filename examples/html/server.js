import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as ramp from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express from 'express';

// The sandbox of `npm run dev` sets the variables RAMP_…. In production, set those of your onboarding.
const { PORT = 3000, RAMP_PARTNER_ID: partnerId, RAMP_SECRET_KEY: secretKey, ...env } = process.env;
const origin = `http://localhost:${PORT}`;

const store = ramp.memoryOrderStore(); // sqlOrderStore in production
const { RAMP_API_URL: baseUrl, RAMP_API_PRIVATE_KEY: privateKey } = env;
const api = ramp.createPartnerApi({ baseUrl, partnerId, privateKey });
const tracker = ramp.createOrderTracker({
  api,
  store,
  onOrderChange({ matchStatus, record: { order } }) {
    if (matchStatus === 'matched' && order.state === 'finished')
      console.log(`Delivered ${order.cryptoCurrency} to ${order.walletAddress}`);
  },
});
const { RAMP_WEBHOOK_PUBLIC_KEY: publicKey, RAMP_WEBHOOK_URL: url } = env;
const handler = ramp.createRampHandler({
  signer: ramp.createWidgetSigner({ partnerId, secretKey }),
  webhooks: ramp.createWebhookVerifier({ publicKey, url, replays: store }),
  api,
  store,
  tracker,
  allowedOrigins: [origin],
  policy({ context: user }) {
    return { params: { walletAddress: user.wallet, walletAddressLocked: '1' }, subject: user.id };
  },
  getSubject: ({ context: user }) => user.id,
});

// Replace this with your session.
const getUser = () => ({ id: 'demo', wallet: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' });
const app = express();
app.use('/api/ramp', toExpress(handler, { context: getUser })); // mount it before any body parser
// The element and its stylesheet, as files for browsers. A CDN has them too.
const element = import.meta.resolve('@partner-ramp/react/browser/ramp-button.js');
app.use('/ramp', express.static(fileURLToPath(new URL('.', element))));
const html = await readFile(new URL('index.html', import.meta.url), 'utf8');
const page = html.replace('https://pay.example', env.RAMP_WIDGET_URL);
app.get('/', (_, response) => response.send(page));
app.listen(PORT);
tracker.start();
console.log(`The shop runs on ${origin}`);
