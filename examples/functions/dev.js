// npm run dev starts the sandbox, which starts this file with its variables: the backend, and the page with Vite.
import { randomBytes } from 'node:crypto';
import { createServer } from 'vite';

const { PORT = '3000', PAGE_PORT = '5173' } = process.env;
Object.assign(process.env, {
  SHOP_ORIGIN: `http://localhost:${PAGE_PORT}`,
  PORT,
  CRON_SECRET: randomBytes(32).toString('hex'),
  // Nobody wants to wait for a minute here.
  CRON_SECONDS: '3',
  POLL_SECONDS: '5',
});
await import('./migrate.js');
await import('./server.js');

const proxy = { '/api': `http://127.0.0.1:${PORT}` };
const vite = await createServer({ server: { port: Number(PAGE_PORT), strictPort: true, proxy } });
await vite.listen();
vite.printUrls();
