// Measures the first sync of an empty store over HTTP, on SQLite and on PostgreSQL, for each given number of orders.
// The time should grow linearly with the number of orders, and the memory of the process should not grow.
// node tools/bench/sync.bench.mjs [10000 100000 1000000]
import { fork, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const counts = process.argv.slice(2).map(Number).filter(Boolean);
const sizes = counts.length > 0 ? counts : [10_000, 100_000, 1_000_000];
/** The time per order may be at most this many times the time per order with the first of `sizes`. */
const LIMIT = 2;
const DAYS = 6;
const SECONDS = DAYS * 86_400;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** Creates a service with `count` orders, spread evenly over DAYS. Each order is generated when it is requested. */
function service(count) {
  const first = Math.floor(Date.now() / 1000) - SECONDS;
  const timeOf = (i) => first + Math.floor((i * SECONDS) / count);
  /** Returns how many orders finished before `time`. */
  const before = (time) =>
    Math.min(count, Math.max(0, Math.ceil(((time - first) * count) / SECONDS)));
  const order = (i) => ({
    orderId: `order-${i}`,
    orderStatus: 3,
    payTime: timeOf(i) - 60,
    deliverTime: timeOf(i) - 30,
    finishTime: timeOf(i),
    fiatCurrency: 'USD',
    currencyAmount: 100,
    cryptoCurrency: 'USDT',
    cryptoCurrencyCode: 'USDT_ERC20',
    cryptoCurrencyAmount: '97.09000000',
    walletAddress: '0xabc0000000000000000000000000000000000001',
    txHash: `0x${i.toString(16).padStart(64, '0')}`,
    network: 'ethereum_mainnet',
    blockchainExplorer: 'https://explorer.example/tx/',
    ext: `reference-${i}`,
  });
  return createServer(({ url }, response) => {
    const query = new URL(url, 'http://service').searchParams;
    const [from, to, page, size] = ['startTime', 'endTime', 'page', 'size'].map((name) =>
      Number(query.get(name)),
    );
    const start = before(from);
    const end = before(to + 1);
    const list = [];
    for (let i = start + (page - 1) * size; i < Math.min(end, start + page * size); i++)
      list.push(order(i));
    response.setHeader('Content-Type', 'application/json');
    const data = { page, size, totalCount: end - start, list };
    response.end(JSON.stringify({ code: 10000, msg: 'success', data }));
  });
}

const folder = mkdtempSync(join(tmpdir(), 'ramp-bench-'));

async function postgres() {
  const server = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = await once(server.stdout, 'data');
  return {
    target: `${output}`.trim(),
    async close() {
      const gone = once(server, 'exit');
      server.stdin.end();
      await gone;
    },
  };
}

async function sqlite() {
  const target = join(folder, 'orders.db');
  return {
    target,
    async close() {
      console.log(`  database file: ${(statSync(target).size / 2 ** 20).toFixed(0)} MB`);
      for (const end of ['', '-wal', '-shm']) rmSync(target + end, { force: true });
    },
  };
}

async function sync(open, count) {
  const server = service(count);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { target, close } = await open();
  const apiUrl = `http://127.0.0.1:${server.address().port}`;
  const child = fork('tools/bench/syncProcess.mjs', [target, apiUrl, privateKey, DAYS + 1]);
  const samples = [];
  let result;
  child.on('message', (message) => {
    if (message.done) result = message;
    else if (message.error) console.log(message.error);
    else samples.push(message);
  });
  await once(child, 'exit');
  server.close();
  await close();
  if (result?.recorded !== count) throw new Error(`${result?.recorded} of ${count} were recorded.`);
  return { seconds: result.seconds, samples };
}

const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(0)}`;
for (const [name, open] of Object.entries({ SQLite: sqlite, PostgreSQL: postgres })) {
  let least;
  for (const count of sizes) {
    const { seconds, samples } = await sync(open, count);
    const each = (seconds * 1e6) / count;
    least ??= each;
    if (each > LIMIT * least) process.exitCode = 1;
    const tenths = Array.from(
      { length: 10 },
      (_, i) => samples[Math.floor(((i + 1) * samples.length) / 10) - 1],
    );
    const blockedMs = Math.max(0, ...samples.map((sample) => sample.blockedMs));
    console.log(
      `${name}, ${count} orders: ${seconds.toFixed(1)} s, ${each.toFixed(0)} microseconds each, ${(each / least).toFixed(2)} x the first; longest block of the event loop ${blockedMs.toFixed(0)} ms`,
    );
    console.log(
      `  resident MB at each tenth of the time: ${tenths.map((one) => (one ? mb(one.rss) : '-')).join(' ')}`,
    );
  }
}
rmSync(folder, { recursive: true, force: true });
