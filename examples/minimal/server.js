import { startSandbox } from '@partner-ramp/react/sandbox';
import * as ramp from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import react from '@vitejs/plugin-react';
import express from 'express';
import { createServer } from 'vite';

const { PORT = 3000 } = process.env;
const origin = `http://localhost:${PORT}`;
const webhookUrl = `${origin}/api/ramp/webhook`;
// The sandbox replaces the service in development. In production, use the values from your onboarding.
const service = await startSandbox({ webhookUrl });
const { baseUrl, partnerId, secretKey, apiPrivateKey, webhookPublicKey: publicKey } = service;

const store = ramp.memoryOrderStore(); // sqlOrderStore in production
const api = ramp.createPartnerApi({ baseUrl, partnerId, privateKey: apiPrivateKey });
const tracker = ramp.createOrderTracker({
  api,
  store,
  onOrderChange({ matchStatus, record: { order }, intent }) {
    if (matchStatus === 'matched' && order.state === 'finished')
      console.log(`Delivered order ${order.orderId} to ${intent.subject}`);
  },
});
const handler = ramp.createRampHandler({
  signer: ramp.createWidgetSigner({ partnerId, secretKey }),
  webhooks: ramp.createWebhookVerifier({ publicKey, url: webhookUrl, replays: store }),
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
const getUser = () => ({ id: 'demo', wallet: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e' });
const app = express();
app.use('/api/ramp', toExpress(handler, { context: getUser })); // mount it before any body parser
process.env.VITE_RAMP_WIDGET_URL = service.widgetUrl; // for the page
const server = { middlewareMode: true, hmr: { server: app.listen(PORT) } };
const vite = await createServer({ plugins: [react()], server });
app.use(vite.middlewares);
tracker.start();
console.log(`The shop runs on ${origin}`);
