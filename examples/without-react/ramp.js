import { chooseWallet, createRamp, memoryOrderStore } from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express from 'express';

// The sandbox of `npm run html` and `npm run vue` sets the variables RAMP_…. In production, set those of your onboarding.
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
  deliver: ({ orderId, cryptoCurrency, walletAddress }) =>
    console.log(`Delivered order ${orderId}: ${cryptoCurrency} to ${walletAddress}`),
  // A person must look at every other order, because it may be paid. See docs/orders.md#what-money-can-be.
  review: ({ orderId }, reason) => console.error(`Review order ${orderId}: ${reason}`),
});

// Replace this with your session.
const getUser = () => ({
  id: 'demo',
  wallets: {
    evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  },
});

/** Serves the handler, to which a server adds its page. */
export const app = express();
app.use('/api/ramp', toExpress(ramp.handler, { context: getUser })); // mount it before any body parser
export const listener = app.listen(PORT);
ramp.start();
console.log(`The shop runs on ${origin}`);
