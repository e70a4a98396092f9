import { existsSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { handler, tracker } from './ramp.js';

// Replace this with your session. Return undefined if the user is signed out.
const getUser = () => ({ id: 'demo', wallet: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' });

const app = new Hono();
app.all('/api/ramp/*', (c) => handler(c.req.raw, getUser(c)));
if (existsSync('dist')) app.use(serveStatic({ root: 'dist' })); // `npm run dev` has no build
serve({ fetch: app.fetch, port: process.env.PORT });
tracker.start();
