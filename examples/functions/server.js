// Stands for the host of the functions: starts a process for each request, and requests the sync as a scheduled job.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import sirv from 'sirv';

const { PORT, CRON_SECRET, CRON_SECONDS = '60' } = process.env;

async function runFunction(req, res) {
  const { method, headers } = req;
  const hasBody = method === 'POST';
  const body = hasBody ? new Uint8Array(await buffer(req)) : undefined;
  const child = fork(new URL('process.js', import.meta.url), { serialization: 'advanced' });
  child.once('message', ({ status, headers, body }) => {
    res.writeHead(status, headers.flat()).end(body);
  });
  child.once('exit', () => {
    if (!res.headersSent) res.writeHead(500).end();
  });
  child.send({ url: `http://${headers.host}${req.url}`, method, headers, body });
}

const page = sirv('dist', { dev: true });
createServer((req, res) => {
  if (req.url.startsWith('/api/ramp/')) runFunction(req, res);
  else page(req, res, () => res.writeHead(404).end());
}).listen(PORT);

setInterval(async () => {
  const headers = { authorization: `Bearer ${CRON_SECRET}` };
  const response = await fetch(`http://127.0.0.1:${PORT}/api/ramp/sync`, { headers });
  const run = await response.json();
  if (!response.ok) console.error('The scheduled job failed:', run);
  else if (run.ran) console.log('The scheduled job has synced:', JSON.stringify(run));
}, CRON_SECONDS * 1000);
