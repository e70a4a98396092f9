import { existsSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createShop } from './shop.js';

const { app, ramp } = await createShop(process.env);
if (existsSync('dist')) app.use(serveStatic({ root: 'dist' })); // `npm run dev` has no build
serve({ fetch: app.fetch, port: process.env.PORT });
ramp.start();
