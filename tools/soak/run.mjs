// Runs the example shop on PostgreSQL under constant load. In some minutes the service fails, and in the middle of the
// run the shop is stopped and started again. Fails if a condition of report.mjs is not met.
// Run it after `npm run build` and `npm run build:example`:
// node tools/soak/run.mjs [--minutes 10 --rate 200 --pages 500]
import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../scripts/ports.mjs';
import { requestChild } from './messages.mjs';
import { compareOutcome, readOutcome } from './outcome.mjs';
import { parseArguments, planMinutes } from './plan.mjs';
import { createDatabase, startPart, startShop, stopShop } from './processes.mjs';
import { evaluateRun, formatTable } from './report.mjs';

const WARM_UP_MS = 20_000;
/**
 * How far into the minute with `isStop` the shop is stopped and restarted. This is early enough for the shop to recover
 * within that minute.
 */
const STOP_AT_MS = 15_000;
const FAULTS_END_MS = 45_000;
const SETTLE_MS = 90_000;

const print = (text) => process.stdout.write(`${text}\n`);
const until = (time) => delay(Math.max(0, time - Date.now()));

const options = parseArguments(process.argv.slice(2));
const plan = planMinutes(options.minutes);
const database = await createDatabase();
const [service, client] = [startPart('service.mjs'), startPart('client.mjs')];
const port = await findFreePort();
const shopUrl = `http://127.0.0.1:${port}`;
const logged = new Map();
const settings = {
  port,
  service: await requestChild(service, 'start', { webhookUrl: `${shopUrl}/api/ramp/webhook` }),
  databaseUrl: database.url,
  sessionSecret: randomBytes(32).toString('hex'),
};
let shop = await startShop(settings, countErrors);

/** Counts a line of the shop's log if its level is error (50). */
function countErrors(line) {
  if (!line.includes('"level":50')) return;
  const { msg, res, err } = JSON.parse(line);
  const text = [msg, res?.statusCode, err?.code].filter(Boolean).join(' ');
  logged.set(text, (logged.get(text) ?? 0) + 1);
}

const setFaulty = (value) =>
  Promise.all([
    requestChild(service, 'setFaulty', value),
    requestChild(client, 'setFaulty', value),
  ]);

async function restart() {
  await requestChild(client, 'setDown', true);
  const from = Date.now();
  const stopped = await stopShop(shop);
  shop = await startShop(settings, countErrors);
  await requestChild(client, 'setDown', false);
  return { ...stopped, downMs: Date.now() - from };
}

/** Returns the busy and the total time of this machine's processors since boot, in milliseconds. */
function processorTimes() {
  const times = cpus().map(({ times: { idle, ...used } }) => {
    const busy = Object.values(used).reduce((total, each) => total + each, 0);
    return { busy, all: busy + idle };
  });
  const sum = (name) => times.reduce((total, each) => total + each[name], 0);
  return { busy: sum('busy'), all: sum('all') };
}

const isAlive = (child) => child.exitCode === null && child.signalCode === null;

async function runMinutes(beginsAt) {
  const heaps = [];
  let stop;
  let minOpen = Number.POSITIVE_INFINITY;
  for (const { minute, isFault, isStop } of plan) {
    const from = beginsAt + (minute - 1) * 60_000;
    await until(from);
    const before = processorTimes();
    if (isFault) await setFaulty(true);
    await until(from + STOP_AT_MS);
    if (isStop) stop = await restart();
    await until(from + FAULTS_END_MS);
    if (isFault) await setFaulty(false);
    await until(from + 60_000);
    if (!isAlive(shop)) throw new Error(`The shop exited unexpectedly with ${shop.exitCode}.`);
    const after = processorTimes();
    const busy = (after.busy - before.busy) / (after.all - before.all);
    heaps.push({ ...(await requestChild(shop, 'heap')), busy });
    const { open, delayMs } = await requestChild(client, 'atMinuteEnd');
    heaps.at(-1).clientDelayMs = delayMs;
    minOpen = Math.min(minOpen, open);
    const { heapUsed } = heaps.at(-1);
    print(`minute ${minute}: heap ${(heapUsed / 2 ** 20).toFixed(1)} MB, ${open} pages current`);
  }
  return { heaps, stop, minOpen };
}

/** Compares the database with the paid orders until they agree, for at most SETTLE_MS. */
async function findOutcome({ acknowledged }) {
  for (const end = Date.now() + SETTLE_MS; ; await delay(2000)) {
    await delay(3000);
    const { orders, counts } = await requestChild(service, 'report');
    const compared = compareOutcome({ acknowledged, orders }, await readOutcome(database.client));
    const isDone = Object.values(compared.orders).every((count) => count === 0);
    if (!isDone && Date.now() < end) continue;
    const outcome = { ...compared, acknowledged: acknowledged.length, bought: orders.length };
    return { outcome, service: { counts } };
  }
}

try {
  print(
    `${options.addresses} visitors open the shop, and ${options.pages} of them keep a page open …`,
  );
  await requestChild(client, 'prepare', {
    shopUrl,
    widgetUrl: settings.service.widgetUrl,
    ...options,
  });
  const beginsAt = Date.now() + WARM_UP_MS;
  await requestChild(client, 'run', { rate: options.rate, beginsAt });
  const measured = await runMinutes(beginsAt);
  const sent = await requestChild(client, 'end');
  const found = await findOutcome(sent);
  const load = await requestChild(client, 'report');
  const run = { options, plan, load, ...measured, ...found };
  const conditions = evaluateRun(run);
  print(`\n${formatTable(run)}\n`);
  print(`purchases that the widget refused: ${sent.purchases.failed} ${sent.purchases.why ?? ''}`);
  print('errors in the log of the shop:');
  for (const [text, count] of logged) print(`    ${text} × ${count}`);
  for (const { name, holds, figures } of conditions)
    print(`${holds ? 'passed' : 'FAILED'}: ${name}: ${figures}`);
  const failed = conditions.filter(({ holds }) => !holds).length;
  print(`${conditions.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  if (isAlive(shop)) await stopShop(shop);
  for (const part of [service, client]) part.disconnect();
  await database.close();
}
