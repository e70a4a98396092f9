import { toRequest } from '@partner-ramp/react/server/node';
import Koa from 'koa';
import serve from 'koa-static';
import { ramp } from './ramp.js';

// Replace this with your session. Return undefined if the user is signed out.
const getUser = () => ({
  id: 'demo',
  wallets: {
    evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    solana: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
    tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  },
});

const app = new Koa();
// This must run after your session and before any body parser, because the handler reads the body itself.
app.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/api/ramp/')) return next();
  const response = await ramp.handler(toRequest(ctx.req), getUser(ctx));
  ctx.status = response.status;
  ctx.set(Object.fromEntries(response.headers));
  ctx.body = await response.text();
});
app.use(serve('dist'));
app.listen(process.env.PORT);
ramp.start();
