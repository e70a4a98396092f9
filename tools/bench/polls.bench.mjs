// Measures what waiting pages cost one instance: the CPU of its process, the polls a second, pollAfterSeconds as it
// settles, and the slowest other request meanwhile. Before that, it compares the CPU of one unchanged poll with that of
// an empty Express route, and measures how soon 200 waiting pages have a change. The session look-up takes 5 ms, as a
// query of the shop's database may.
// Run it after `npm run build`: node tools/bench/polls.bench.mjs [PAGES [SECONDS]]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { privateKey } from './startService.mjs';

const LOOKUP_MS = 5;
/** How much of one core the polls of all pages may take, and how long another request may take meanwhile. */
const MAX_CORE = 0.25;
const MAX_OTHER_MS = 100;
/** The jitter of a page, 15 % in both directions. */
const withJitter = () => 0.85 + 0.3 * Math.random();
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

if (process.argv[2] === 'server') await serve(Number(process.argv[3]));
else await measure(Number(process.argv[2] ?? 5000), Number(process.argv[3] ?? 60));

/**
 * Runs the shop. It answers each message with the microseconds of CPU time that this process has used. The message may
 * name a checkout, whose order is announced first.
 */
async function serve(pages) {
  const { default: express } = await import('express');
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const { Kysely } = await import('kysely');
  const { createRamp } = await import('@partner-ramp/react/server');
  const { sqliteDialect, sqlOrderStore } = await import('@partner-ramp/react/server/sql');
  const { toExpress } = await import('@partner-ramp/react/server/express');
  const store = sqlOrderStore(new Kysely({ dialect: sqliteDialect(new DatabaseSync(':memory:')) }));
  // The process is one of production, in which a request creates no tables.
  await store.migrate();
  const createdAt = Math.floor(Date.now() / 1000);
  for (let page = 0; page < pages; page++)
    await store.saveCheckout({
      reference: `r${page}`,
      widget: 'on-ramp',
      subject: `u${page}`,
      params: {},
      createdAt,
      expiresAt: createdAt + 86_400,
    });
  const { handler } = createRamp({
    apiUrl: 'http://127.0.0.1:9',
    partnerId: 'p1',
    secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D',
    apiPrivateKey: privateKey,
    serverless: { syncSecret: 's'.repeat(32) },
    deliver() {},
    review() {},
    policy: () => ({ params: {} }),
    allowedOrigins: ['https://shop.example'],
    getShopper: ({ context }) => ({ id: context.user }),
    store,
  });
  const context = async (req) => {
    await delay(LOOKUP_MS);
    return { user: req.get('x-user') };
  };
  const app = express();
  app.use('/api/ramp', toExpress(handler, { context }));
  app.get('/empty', (_, response) => response.json({}));
  process.on('message', async ({ announce }) => {
    if (announce) await store.claimReplay(announce, createdAt + 600, createdAt, announce);
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  });
  process.on('disconnect', () => process.exit());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send(server.address().port);
}

async function measure(pages, seconds) {
  const server = fork(fileURLToPath(import.meta.url), ['server', `${pages}`], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = await once(server, 'message');
  const get = (path, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ response, text }));
      });
      sent.on('error', reject).end();
    });
  const send = async (message) => {
    server.send(message);
    return (await once(server, 'message'))[0];
  };
  const readCpu = () => send({});
  const pollOf = (page, tag) =>
    get(`/api/ramp/checkouts?references=r${page}`, {
      'x-user': `u${page}`,
      ...(tag && { 'if-none-match': tag }),
    });

  // One unchanged poll against the empty route. A page may poll 300 times a minute, so each round uses other pages.
  const { response: first } = await pollOf(0);
  const cpuOf = async (times, send) => {
    const before = await readCpu();
    for (let sent = 0; sent < times; sent += 16)
      await Promise.all(Array.from({ length: 16 }, (_, i) => send((sent + i) % pages)));
    return ((await readCpu()) - before) / times;
  };
  const unchanged = [];
  const empty = [];
  const tags = new Map();
  const poll = async (page) => {
    const { response } = await pollOf(page, tags.get(page));
    tags.set(page, response.headers.etag);
  };
  for (let round = 0; round < 6; round++) {
    unchanged.push(await cpuOf(2000, poll));
    empty.push(await cpuOf(2000, () => get('/empty')));
  }
  const best = (values) => Math.min(...values.slice(1));
  console.log(
    `an unchanged poll: ${best(unchanged).toFixed(0)} µs of CPU, ${(best(unchanged) / best(empty)).toFixed(2)} x an empty Express route (${best(empty).toFixed(0)} µs); ETag ${first.headers.etag ? 'sent' : 'missing'}`,
  );

  // 200 pages wait, and each has a change at some moment, one after the other.
  const sample = Math.min(200, pages);
  const changedAt = new Map();
  const delays = [];
  const waitForChange = async (page) => {
    await delay(Math.random() * 3000);
    for (;;) {
      const { text } = await pollOf(page);
      const { named, pollAfterSeconds } = JSON.parse(text);
      if (named[0].progress !== 'waiting') break;
      await delay(pollAfterSeconds * 1000 * withJitter());
    }
    delays.push(performance.now() - changedAt.get(page));
  };
  const waits = Array.from({ length: sample }, (_, page) => waitForChange(page));
  await delay(3000);
  for (let page = 0; page < sample; page++) {
    await delay(Math.random() * 100);
    changedAt.set(page, performance.now());
    await send({ announce: `r${page}` });
  }
  await Promise.all(waits);
  delays.sort((a, b) => a - b);
  const quantile = (part) => (delays[Math.ceil(part * sample) - 1] / 1000).toFixed(1);
  console.log(
    `a change in the store, until each of ${sample} waiting pages has it: p50 ${quantile(0.5)} s, p99 ${quantile(0.99)} s`,
  );

  // All pages wait. Each polls again after pollAfterSeconds with a jitter of 15 %.
  let polls = 0;
  let failures = 0;
  let isOver = false;
  const settled = new Map();
  const watch = async (page) => {
    await delay(Math.random() * 3000);
    let pause = 3;
    for (let tag; !isOver; ) {
      const { response, text } = await pollOf(page, tag).catch(() => ({ text: '' }));
      if (response?.statusCode === 200) {
        tag = response.headers.etag;
        pause = JSON.parse(text).pollAfterSeconds;
        settled.set(page, pause);
      } else if (response?.statusCode !== 304) failures++;
      polls++;
      await delay(pause * 1000 * withJitter());
    }
  };
  for (let page = 0; page < pages; page++) void watch(page);
  // The first minute counts the pages. After it, the interval has settled.
  await delay(Math.min(seconds, 30) * 1000);
  const others = [];
  const [from, cpu, sent] = [performance.now(), await readCpu(), polls];
  while (performance.now() - from < seconds * 1000) {
    const start = performance.now();
    await new Promise((resolve, reject) => {
      const other = request({ host: '127.0.0.1', port, path: '/empty', agent: false }, (response) =>
        response.resume().on('end', resolve),
      );
      other.on('error', reject).end();
    });
    others.push(performance.now() - start);
    await delay(50);
  }
  const elapsed = (performance.now() - from) / 1000;
  const core = ((await readCpu()) - cpu) / 1e6 / elapsed;
  isOver = true;
  const pauses = [...new Set(settled.values())].sort((a, b) => a - b);
  others.sort((a, b) => a - b);
  const slowest = others.at(-1);
  console.log(
    `${pages} waiting pages: ${((polls - sent) / elapsed).toFixed(0)} polls a second, ${(core * 100).toFixed(0)} % of one core, pollAfterSeconds ${pauses.at(-1)}, ${failures} failures; another request: median ${others[others.length >> 1].toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms of ${others.length}; load average ${loadavg()[0].toFixed(0)}`,
  );
  if (core > MAX_CORE || slowest > MAX_OTHER_MS || failures > 0) process.exitCode = 1;
  process.exit();
}
