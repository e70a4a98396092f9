// Measures how long SQLite blocks the event loop during a purge. The database has many paid checkouts, which the purge
// keeps, and old rows, which it deletes. The baseline is the same process, idle for as long as the purge took.
// node tools/bench/purge.bench.mjs [1000000 50000] sets the numbers of paid checkouts and of old rows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely } from 'kysely';

const [kept = 1_000_000, old = 50_000] = process.argv.slice(2).map(Number);
const LIMIT_MS = 50;

/** Returns the longest block of the event loop during the work, and how long the work took, in milliseconds. */
async function measureBlocking(work) {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 1);
  const from = performance.now();
  await work();
  look();
  clearInterval(timer);
  return { longest, took: performance.now() - from };
}

const folder = mkdtempSync(join(tmpdir(), 'ramp-purge-'));
try {
  const raw = new DatabaseSync(join(folder, 'orders.db'));
  const kysely = new Kysely({ dialect: sqliteDialect(raw) });
  const store = sqlOrderStore(kysely);
  await store.readSyncState();
  const numbers = (count) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  raw.exec('begin');
  raw.exec(`${numbers(kept)} insert into ramp_checkouts
    (reference, expires_at, matched_order_id, terms, subject, created_at)
    select printf('paid-%022d', i), i, printf('o%d', i), '{}', 'u1', i from n`);
  raw.exec(`${numbers(kept)} insert into ramp_orders
    (order_id, reference, match_status, changed_at, record)
    select printf('o%d', i), printf('paid-%022d', i), 'matched', i, '{}' from n`);
  raw.exec(`${numbers(old)} insert into ramp_checkouts
    (reference, expires_at, terms, subject, created_at)
    select printf('old-%022d', i), ${kept} + i, '{}', 'u1', i from n`);
  raw.exec(
    `${numbers(old)} insert into ramp_replays (hash, keep_until) select printf('h%d', i), i from n`,
  );
  raw.exec('commit');
  // Write the WAL into the database now. Otherwise the purge would do it, and the measurement would include it.
  raw.exec('pragma wal_checkpoint(truncate)');

  const all = kept + old + 1;
  const purge = await measureBlocking(() =>
    store.purge({ before: all, unopenedBefore: all, replaysBefore: all }),
  );
  const idle = await measureBlocking(() => wait(purge.took));
  const { count } = raw.prepare('select count(*) as count from ramp_checkouts').get();
  if (count !== kept) throw new Error(`${count} checkouts are left of ${kept}.`);
  console.log(
    `purge of ${old} of ${old + kept} checkouts: ${(purge.took / 1000).toFixed(1)} s; longest block of the event loop ${purge.longest.toFixed(0)} ms, limit ${LIMIT_MS} ms (idle process: ${idle.longest.toFixed(0)} ms)`,
  );
  if (purge.longest > LIMIT_MS) process.exitCode = 1;
  await kysely.destroy();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
