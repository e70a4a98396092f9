import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseServiceUrl } from '@partner-ramp/react/protocol';
import { toExpress } from '@partner-ramp/react/server/express';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { openDatabase } from './database.js';
import { requireOperator } from './operator.js';
import { listPurchases, listReviews } from './orders.js';
import { createShopRamp } from './ramp.js';
import { securityHeaders } from './securityHeaders.js';
import { COOKIE, findShopper, signIn, signOut } from './shoppers.js';

/** Returns a path in this folder. The built server is in dist/server. */
const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// Variables in the environment win over those in the file.
if (existsSync(here('.env'))) process.loadEnvFile(here('.env'));
const { env } = process;
/** How long requests in flight may take when the server stops. Service managers kill it after ten seconds. */
const STOP_MS = 5000;

const database = openDatabase(env.DATABASE_FILE || here('data/shop.db'));
const ramp = createShopRamp(database);
const widgetUrl = parseServiceUrl(env.RAMP_WIDGET_URL ?? '', 'RAMP_WIDGET_URL');
const getShopper = (req: Request) => findShopper(req.get('Cookie'));

const app = express();
app.disable('x-powered-by');
app.use(securityHeaders(widgetUrl, env.RAMP_API_URL ?? widgetUrl));
app.get('/health', (_req, res) => void res.json({ ok: true }));
// Before any body parser: the handler verifies the bytes of a webhook.
app.use('/api/ramp', toExpress(ramp.handler));

app.use('/api', (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
});
app.get('/api/session', async (req, res) => {
  const shopper = await getShopper(req);
  // Only what the page shows: your users have columns that nobody else may read.
  const shown = shopper && { id: shopper.id, name: shopper.name, wallets: shopper.wallets };
  res.json({ widgetUrl, shopper: shown ?? null });
});
// Another site's form cannot send JSON, and CORS forbids its scripts to, so no other site can sign a shopper in.
app.post('/api/session', express.json({ limit: '1kb' }), async (req, res) => {
  const session = await signIn(req.body?.shopper);
  if (!session) return void res.status(400).json({ error: { message: 'Unknown shopper.' } });
  signOut(req.get('Cookie'));
  const secure = env.SHOP_ORIGIN?.startsWith('https:') ?? false;
  res.cookie(COOKIE, session, { httpOnly: true, sameSite: 'lax', secure }).sendStatus(204);
});
app.delete('/api/session', (req, res) => {
  signOut(req.get('Cookie'));
  res.clearCookie(COOKIE).sendStatus(204);
});
app.get('/api/purchases', async (req, res) => {
  const shopper = await getShopper(req);
  res.json({ purchases: shopper ? await listPurchases(database, shopper.id) : [] });
});
app.get('/reviews', requireOperator(env.OPERATOR_PASSWORD), async (_req, res) => {
  res.set('Cache-Control', 'no-store').json({ reviews: await listReviews(database) });
});
app.use(express.static(here('dist/storefront')));

/** Responds without details. Express itself would send the stack of an error to the page. */
const respondToError: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status: number = error.status ?? 500;
  if (status >= 500) console.error(error);
  res.status(status).json({ error: { message: 'The request failed.' } });
};
app.use(respondToError);

const port = Number(env.PORT || 4000);
const server = app.listen(port, env.HOST || '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`The shop listens on port ${port}.`);
});
ramp.start();

let isStopping = false;
/** Refuses new connections, lets requests finish, ends the reading of orders, and closes the database. */
async function stop(): Promise<void> {
  // Ctrl-C arrives twice: from the terminal and from npm.
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => server.closeAllConnections(), STOP_MS).unref();
  await Promise.all([new Promise((done) => server.close(done)), ramp.stop()]);
  await database.destroy();
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
