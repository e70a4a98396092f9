import { existsSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
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

const app = new Hono();
app.all('/api/ramp/*', async (c) => {
  const response = await ramp.handler(c.req.raw, getUser(c));
  return c.newResponse(response.body, response); // keeps the headers that your middleware has set
});
if (existsSync('dist')) app.use(serveStatic({ root: 'dist' })); // `npm run dev` has no build
serve({ fetch: app.fetch, port: process.env.PORT });
ramp.start();
