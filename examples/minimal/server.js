import { chooseWallet, createRamp, memoryOrderStore } from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import react from '@vitejs/plugin-react';
import express from 'express';
import { createServer } from 'vite';

// The sandbox of `npm run dev` sets the variables RAMP_…. In production, set those of your onboarding.
const { PORT = 3000, ...env } = process.env;
const origin = `http://localhost:${PORT}`;

const ramp = createRamp({
  apiUrl: env.RAMP_API_URL,
  partnerId: env.RAMP_PARTNER_ID,
  secretKey: env.RAMP_SECRET_KEY,
  apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
  webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
  webhookUrl: env.RAMP_WEBHOOK_URL,
  store: memoryOrderStore(), // sqlOrderStore in production
  allowedOrigins: [origin],
  getShopper: ({ context: user }) => user,
  policy: ({ selection, shopper }) => ({
    params: { walletAddress: chooseWallet(selection, shopper.wallets), walletAddressLocked: '1' },
  }),
  // Called once for each order. sqlOrderStore also passes a transaction, in which you book it.
  deliver: ({ orderId, checkout }) =>
    console.log(`Delivered order ${orderId} to ${checkout.subject}`),
  // A person must look at every other order, because it may be paid. See docs/orders.md#what-money-can-be.
  review: ({ orderId }, reason) => console.error(`Review order ${orderId}: ${reason}`),
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
app.use('/api/ramp', toExpress(ramp.handler, { context: getUser })); // mount it before any body parser
const server = { middlewareMode: true, hmr: { server: app.listen(PORT) } };
const vite = await createServer({ plugins: [react()], server });
app.use(vite.middlewares);
ramp.start();
console.log(`The shop runs on ${origin}`);
