// Two instances on one PostgreSQL, with half of the event streams each. One instance records a change of a single
// checkout, and this measures how long the change takes from its commit to a stream of either instance: while the
// instances listen, while LISTEN is cut, and after they listen again. The baseline is polling, without a listener.
// node test/bench/instances.bench.mjs [COUNT [CHANGES]]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** The limits of the 99th percentile: while the instances listen, and while they poll. */
const LIMITS_MS = process.env.CI
  ? { listening: 500, polling: 2000 }
  : { listening: 150, polling: 1200 };

const [role, ...args] = process.argv.slice(2);
const referenceOf = (run, i) => `${run}-${String(i).padStart(16, '0')}`;
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Serves one instance. A cut instance loses the connection of its listener, and cannot connect it again. */
async function serve(connectionString, run, first, count, listens) {
  const { createServer } = await import('node:http');
  const { toNodeHandler } = await import('@partner-ramp/react/server/node');
  const { postgresListener, postgresPool, sqlOrderStore } = await import(
    '@partner-ramp/react/server/sql'
  );
  const { Kysely, PostgresDialect } = await import('kysely');
  const { default: pg } = await import('pg');
  const { createStreamHandler } = await import('./createStreamHandler.mjs');
  let isCut = false;
  const clients = new Set();
  class Client extends pg.Client {
    async connect() {
      if (isCut) throw new Error('The connection is cut.');
      clients.add(this.once('end', () => clients.delete(this)));
      return super.connect();
    }
  }
  const listener = postgresListener({
    Client,
    connectionString,
    onListening: () => process.send({ is: 'listening' }),
    onError: () => process.send({ is: 'cut' }),
  });
  const pool = postgresPool({ Pool: pg.Pool, connectionString, onError() {} });
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const store = sqlOrderStore(kysely, listens === 'true' ? { listener } : {});
  const references = Array.from({ length: Number(count) }, (_, i) =>
    referenceOf(run, Number(first) + i),
  );
  const handler = toNodeHandler(await createStreamHandler(store, references));
  const server = createServer(handler);
  await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }), 'listening');
  process.on('message', async ({ request, reference }) => {
    if (request === 'change') {
      const order = { orderId: `order-${reference}`, orderStatus: 3, kind: 'on-ramp' };
      const paid = { state: 'finished', fiatCurrency: 'USD', currencyAmount: '100.00' };
      const rest = { finishTime: nowSeconds(), ext: reference, nftDetails: [] };
      await store.recordOrders([{ ...order, ...paid, ...rest }], nowSeconds());
      process.send({ is: 'committed', at: Date.now() });
    }
    if (request === 'cut') {
      isCut = true;
      for (const client of clients) client.connection.stream.destroy();
    }
    if (request === 'mend') isCut = false;
  });
  process.on('disconnect', () => process.exit());
  process.send({ is: 'ready', port: server.address().port });
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Opens a stream. Its `at` becomes the time at which it received the state `finished`. */
const open = (url) =>
  new Promise((resolve, reject) => {
    const stream = { at: 0, request: undefined };
    stream.request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`The stream returned ${response.statusCode}.`));
      response.setEncoding('utf8').on('data', (text) => {
        if (text.includes('"waiting"')) resolve(stream);
        if (text.includes('"finished"')) stream.at ||= Date.now();
      });
      response.on('error', () => {});
    }).on('error', reject);
  });

/** Starts an instance. `until(is)` waits for a message, or resolves at once with one that no call has returned yet. */
async function startInstance(connectionString, run, first, count, listens) {
  const all = ['serve', connectionString, run, first, count, listens].map(String);
  const child = fork(import.meta.filename, all);
  const seen = new Map();
  const waiting = new Map();
  child.on('message', (message) => {
    if (waiting.has(message.is)) waiting.get(message.is)(message);
    else seen.set(message.is, message);
    waiting.delete(message.is);
  });
  const until = (is) => {
    const before = seen.get(is);
    seen.delete(is);
    return before ?? new Promise((resolve) => waiting.set(is, resolve));
  };
  const { port } = await until('ready');
  return { until, port, send: (message) => child.send(message), stop: () => child.disconnect() };
}

/** Measures one run. Resolves with the times of each phase, in milliseconds, sorted. */
async function measure(url, run, { count, changes, listens }) {
  const half = Math.ceil(count / 2);
  const instances = await Promise.all(
    [0, half].map((first) => startInstance(url, run, first, half, listens)),
  );
  const streams = [];
  for (let i = 0; i < 2 * half; i += 50)
    streams.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, 2 * half - i) }, (_, j) => {
          const { port } = instances[i + j < half ? 0 : 1];
          return open(
            `http://127.0.0.1:${port}/api/ramp/checkouts/${referenceOf(run, i + j)}/events`,
          );
        }),
      )),
    );
  let next = 0;
  /** The first instance writes each change. The stream is in turn one of its own and one of the other instance. */
  const changeSingly = async (amount) => {
    const times = { own: [], other: [] };
    for (let n = 0; n < amount; n++, next++) {
      const isOther = next % 2 === 1;
      const index = (isOther ? half : 0) + (next >> 1);
      instances[0].send({ request: 'change', reference: referenceOf(run, index) });
      const { at } = await instances[0].until('committed');
      for (const end = Date.now() + 10_000; streams[index].at === 0; await wait(1))
        if (Date.now() > end) throw new Error('A stream did not receive its change.');
      times[isOther ? 'other' : 'own'].push(Math.max(0, streams[index].at - at));
      await wait(Math.random() * 100);
    }
    return times;
  };
  const tellAll = (request, is) =>
    Promise.all(
      instances.map(({ send, until }) => {
        send({ request });
        return until(is);
      }),
    );
  const phases = {};
  if (listens) {
    await Promise.all(instances.map(({ until }) => until('listening')));
    phases.listening = await changeSingly(changes);
    await tellAll('cut', 'cut');
    phases.cut = await changeSingly(Math.ceil(changes / 5));
    const begun = Date.now();
    await tellAll('mend', 'listening');
    phases.reconnectMs = Date.now() - begun;
    phases.again = await changeSingly(Math.ceil(changes / 2));
  } else phases.polling = await changeSingly(Math.ceil(changes / 5));
  for (const { request } of streams) request.destroy();
  for (const { stop } of instances) stop();
  return phases;
}

async function main([count = '2000', changes = '400']) {
  const own = !process.env.DATABASE_URL && {
    server: spawn(process.execPath, ['scripts/postgres.mjs'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  };
  const url = own
    ? `${(await once(own.server.stdout, 'data'))[0]}`.trim()
    : process.env.DATABASE_URL;
  let isSlow = false;
  const print = (name, times, limit) => {
    for (const [whose, all] of Object.entries(times)) {
      const sorted = all.sort((a, b) => a - b);
      const part = (share) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
      console.log(
        `  ${name}, streams of ${whose === 'own' ? 'the same' : 'the other'} instance: median ${part(0.5)} ms, p99 ${part(0.99)} ms, max ${part(1)} ms of ${sorted.length}`,
      );
      if (whose === 'other' && part(0.99) > limit) isSlow = true;
    }
  };
  const load = () => loadavg()[0].toFixed(1);
  for (const listens of [false, true]) {
    const before = load();
    const run = `run${listens}${Date.now()}`;
    const options = { count: Number(count), changes: Number(changes), listens };
    const { reconnectMs, ...phases } = await measure(url, run, options);
    console.log(
      `${listens ? 'with' : 'without'} a listener: ${count} streams, load average ${before} to ${load()}`,
    );
    for (const [name, times] of Object.entries(phases))
      print(name, times, LIMITS_MS[/cut|polling/.test(name) ? 'polling' : 'listening']);
    if (listens) console.log(`  listening again after ${reconnectMs} ms`);
  }
  own.server?.stdin.end();
  if (isSlow) {
    console.log(`A change took more than ${JSON.stringify(LIMITS_MS)}.`);
    process.exitCode = 1;
  }
}

await (role === 'serve' ? serve(...args) : main(process.argv.slice(2)));
