import * as ramp from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import react from '@vitejs/plugin-react';
import express from 'express';
import { createServer } from 'vite';

// The sandbox of `npm run dev` sets the variables RAMP_…. In production, set those of your onboarding.
const { PORT = 3000, RAMP_PARTNER_ID: partnerId, RAMP_SECRET_KEY: secretKey, ...env } = process.env;
const origin = `http://localhost:${PORT}`;

const store = ramp.memoryOrderStore(); // sqlOrderStore in production
const { RAMP_API_URL: baseUrl, RAMP_API_PRIVATE_KEY: privateKey } = env;
const api = ramp.createPartnerApi({ baseUrl, partnerId, privateKey });
const delivered = new Set(); // a table with a unique key in production
const tracker = ramp.createOrderTracker({
  api,
  store,
  onOrderChange({ matchStatus, record, intent }) {
    const { orderId } = record.order;
    if (matchStatus === 'matched' && !record.isLaterOrder) {
      // Your staff has paid it back or delivered it by hand.
      if (record.resolution || delivered.has(orderId)) return;
      delivered.add(orderId);
      console.log(`Delivered order ${orderId} to ${intent.subject}`);
      return;
    }
    // Your staff must look at everything else, because it may be paid: docs/orders.md#each-outcome
    console.error(
      `Review order ${orderId}: ${matchStatus === 'matched' ? 'paid again' : matchStatus}`,
    );
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
  policy({ selection, context: user }) {
    const walletAddress = ramp.chooseWallet(selection, user.wallets);
    return { params: { walletAddress, walletAddressLocked: '1' }, subject: user.id };
  },
  getSubject: ({ context: user }) => user.id,
});

// Replace this with your session.
const getUser = () => ({
  id: 'demo',
  wallets: {
    evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    solana: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
    tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  },
});
const app = express();
app.use('/api/ramp', toExpress(handler, { context: getUser })); // mount it before any body parser
const server = { middlewareMode: true, hmr: { server: app.listen(PORT) } };
const vite = await createServer({ plugins: [react()], server });
app.use(vite.middlewares);
tracker.start();
console.log(`The shop runs on ${origin}`);
