// npm run dev starts the sandbox and Next's development server. No account is needed.
import { spawn } from 'node:child_process';
import { startSandbox } from '@partner-ramp/react/sandbox';

const { SANDBOX_PORT = '4010', PORT = '3000' } = process.env;
const webhookUrl = `http://127.0.0.1:${PORT}/api/ramp/webhook`;
const sandbox = await startSandbox({ port: Number(SANDBOX_PORT), webhookUrl });
const env = {
  ...process.env,
  RAMP_WIDGET_URL: sandbox.widgetUrl,
  RAMP_PARTNER_ID: sandbox.partnerId,
  RAMP_SECRET_KEY: sandbox.secretKey,
  RAMP_API_URL: sandbox.baseUrl,
  RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
  RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
  RAMP_WEBHOOK_URL: webhookUrl,
  SHOP_ORIGIN: `http://localhost:${PORT}`,
  DATABASE_FILE: ':memory:', // the sandbox keeps its orders in memory, too
};
const args = ['node_modules/next/dist/bin/next', 'dev', '--port', PORT];
const next = spawn(process.execPath, args, { env, stdio: 'inherit' });
process.once('SIGTERM', () => next.kill());
next.once('exit', () => process.exit());
