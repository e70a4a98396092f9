// npm run dev starts the sandbox, the backend, and the page with Vite. No account is needed.
import { startSandbox } from '@partner-ramp/react/sandbox';
import { createServer } from 'vite';

const { SANDBOX_PORT = '4010', PORT = '3000', PAGE_PORT = '5173' } = process.env;
const backend = `http://127.0.0.1:${PORT}`;
const webhookUrl = `${backend}/api/ramp/webhook`;
const sandbox = await startSandbox({ port: Number(SANDBOX_PORT), webhookUrl });
Object.assign(process.env, {
  VITE_RAMP_WIDGET_URL: sandbox.widgetUrl,
  RAMP_PARTNER_ID: sandbox.partnerId,
  RAMP_SECRET_KEY: sandbox.secretKey,
  RAMP_API_URL: sandbox.baseUrl,
  RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
  RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
  RAMP_WEBHOOK_URL: webhookUrl,
  SHOP_ORIGIN: `http://localhost:${PAGE_PORT}`,
  PORT,
  DATABASE_FILE: ':memory:', // the sandbox keeps its orders in memory, too
});
await import('./server.js');

const vite = await createServer({
  server: { port: Number(PAGE_PORT), strictPort: true, proxy: { '/api': backend } },
});
await vite.listen();
vite.printUrls();
