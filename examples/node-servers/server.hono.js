import { existsSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { ramp } from './ramp.js';
import { getUser } from './user.js';

const app = new Hono();
app.all('/api/ramp/*', async (c) => {
  const response = await ramp.handler(c.req.raw, getUser(c));
  return c.newResponse(response.body, response); // keeps the headers that your middleware has set
});
if (existsSync('dist')) app.use(serveStatic({ root: 'dist' })); // `npm run dev` has no build
serve({ fetch: app.fetch, port: process.env.PORT });
ramp.start();
