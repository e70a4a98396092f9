// Measures how a handler continues a paid and an unpaid checkout, in four modes: while this process syncs, while
// another one does, while the order list is down, and while it hangs. The service lists 60 to 5,000 orders of the last
// two hours, and takes 50 to 800 ms for each page.
// Fails if a paid checkout is signed, or if a response takes longer than 3.5 s or 60 ms of CPU. Also fails if an unpaid
// checkout is not signed although the orders to check fit into ten requests of 20 orders, and the requests take less
// than 2.8 s.
// Run it after `npm run build`: node tools/bench/continue.bench.mjs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPartnerApi, createWidgetSigner } from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely } from 'kysely';
import { createRampHandler } from '../../dist/server/handler/createRampHandler.js';
import { createOrderTracker } from '../../dist/server/orders/tracker/createOrderTracker.js';
import { createWireOrder, pageOf, privateKey, startService } from './startService.mjs';

const WALLET = '0xabc0000000000000000000000000000000000001';
const ORIGIN = 'https://shop.example';
const MAX_MS = 3500;
const MAX_CPU_MS = 60;
const seconds = () => Math.floor(Date.now() / 1000);

const MODES = ['synced here', 'synced elsewhere', 'list down', 'list hanging'];

const [role, mode] = process.argv.slice(2);
if (role === 'service') await runService();
else if (role === 'mode') process.send(await runMode(mode), () => process.exit());
else await run();

/** Runs the service in its own process, so that its CPU time is not measured. */
async function runService() {
  const state = { orders: [], ms: 0, mode: 'up', requests: 0 };
  const service = await startService((url) => {
    state.requests++;
    if (state.mode === 'hanging') return { data: null, ms: 60_000 };
    if (state.mode === 'down') return { data: null, ms: 0, status: 503 };
    return { data: pageOf(state.orders, url), ms: state.ms };
  });
  process.on('message', (next) => {
    Object.assign(state, next, { requests: 0 });
    process.send({ url: service.url });
  });
  process.send({ url: service.url });
}

/** Runs each mode in its own process, so that no mode collects the garbage of another. */
async function run() {
  const rows = [];
  for (const name of MODES) {
    const child = fork(fileURLToPath(import.meta.url), ['mode', name]);
    const [cells] = await once(child, 'message');
    rows.push(...cells);
  }
  report(rows);
}

async function runMode(mode) {
  const service = fork(fileURLToPath(import.meta.url), ['service']);
  const [{ url }] = await once(service, 'message');
  const set = async (state) => {
    service.send(state);
    await once(service, 'message');
  };
  const folder = mkdtempSync(join(tmpdir(), 'continue-'));
  const rows = [];
  try {
    for (const count of [60, 300, 1200, 5000])
      for (const ms of [50, 200, 800])
        for (const isPaid of [true, false]) {
          const path = join(folder, `${rows.length}.db`);
          rows.push(await measure({ url, set, mode, count, ms, isPaid, path }));
        }
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

async function measure({ url, set, mode, count, ms, isPaid, path }) {
  const begun = seconds();
  const orders = Array.from({ length: count }, (_, i) =>
    createWireOrder(`old-${i}`, begun - 7200 + Math.floor((i * 7200) / count)),
  );
  await set({ orders, ms: 0, mode: 'up' });
  const kysely = new Kysely({ dialect: sqliteDialect(new DatabaseSync(path)) });
  const store = sqlOrderStore(kysely);
  const api = createPartnerApi({ baseUrl: url, partnerId: 'p1', privateKey, onError() {} });
  const tracker = createOrderTracker({ api, store, deliver() {}, review() {}, onError() {} });
  await tracker.sync();
  if (mode === 'synced here') tracker.start();
  const handler = createRampHandler({
    signer: createWidgetSigner({ partnerId: 'p1', secretKey: 'secret' }),
    policy: () => ({ params: { walletAddress: WALLET } }),
    allowedOrigins: [ORIGIN],
    getShopper: () => ({ id: 'u1' }),
    api,
    tracker,
    store,
    onError() {},
  });
  const post = (route) =>
    handler(
      new Request(`https://shop.example/api/ramp${route}`, {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': 'application/json' },
        body: '{"widget":"on-ramp"}',
      }),
    );
  const { reference } = await (await post('/checkouts')).json();
  await pause(300);
  if (isPaid)
    orders.push({ ...createWireOrder('paid', seconds()), ext: reference, walletAddress: WALLET });
  const down = { 'list down': 'down', 'list hanging': 'hanging' }[mode] ?? 'up';
  await set({ orders, ms, mode: down });
  const cpu = process.cpuUsage();
  const start = performance.now();
  const response = await post(`/checkouts/${reference}/continue`);
  const tookMs = performance.now() - start;
  const { params } = await response.json();
  const { user, system } = process.cpuUsage(cpu);
  await tracker.stop();
  await kysely.destroy();
  // The handler reads the orders that finished no earlier than 300 seconds before the last sync began (`begun`).
  const pages = Math.max(
    1,
    Math.ceil(orders.filter((one) => one.finishTime >= begun - 300).length / 20),
  );
  const rounds = 1 + Math.ceil((pages - 1) / 4);
  const suffices = down === 'up' && pages <= 10 && rounds * ms < 2800;
  const { status } = response;
  const wanted = isPaid ? (suffices ? [409] : [409, 503]) : suffices ? [200] : [200, 503];
  const isWrong = (isPaid && (status === 200 || params)) || !wanted.includes(status);
  return { mode, count, ms, isPaid, status, pages, tookMs, cpuMs: (user + system) / 1000, isWrong };
}

function report(rows) {
  for (const mode of new Set(rows.map((row) => row.mode)))
    for (const count of new Set(rows.map((row) => row.count))) {
      const cells = rows.filter((row) => row.mode === mode && row.count === count);
      const of = (isPaid) =>
        cells.filter((row) => row.isPaid === isPaid).map(({ ms, status }) => `${ms} ms ${status}`);
      console.log(
        `${mode}, ${count} orders: paid ${of(true).join(', ')}; unpaid ${of(false).join(', ')}`,
      );
    }
  const slowest = Math.max(...rows.map(({ tookMs }) => tookMs));
  const cpus = rows.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const failed = rows.filter(({ isWrong, tookMs }) => isWrong || tookMs > MAX_MS);
  const signed = rows.filter(({ isPaid, status }) => isPaid && status === 200).length;
  console.log(
    `slowest ${Math.round(slowest)} ms; CPU median ${cpus[cpus.length >> 1].toFixed(1)} ms, most ${cpus.at(-1).toFixed(1)} ms (limit ${MAX_CPU_MS}); paid and signed: ${signed}`,
  );
  for (const row of failed) console.log('wrong:', JSON.stringify(row));
  process.exitCode = failed.length > 0 || cpus.at(-1) > MAX_CPU_MS ? 1 : 0;
}
