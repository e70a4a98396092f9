// Measures how long a store takes to list the checkouts of one subject, who has 10,000 of 1,000,000. Reads the first
// page, the deepest page, and the open checkouts, of which the subject has none. The baseline reads one checkout by its
// reference. Fails if the 99th percentile of 200 reads is above 20 ms. Prints the query plans.
// It fills a SQLite file, and a new schema in the database of DATABASE_URL or of a PostgreSQL that it starts.
// Run it after `npm run build`: npm run bench:list [-- 20000 10000] sets the numbers of all and of own checkouts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPool, sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { Kysely, sql } from 'kysely';
import { connectWith } from '../support/database/connectWith.mjs';

const [all = 1_000_000, own = 10_000] = process.argv.slice(2).map(Number);
/** The distance between two checkouts of the subject, so that the subject's rows are spread over the whole table. */
const STEP = Math.floor(all / own);
const READS = 200;
const LIMIT_MS = 20;
const SUBJECT = 'shopper';
/** The number of checkouts that the handler reads: one more than the 20 of its page. */
const PAGE = 21;
const FIRST_TIME = 1_700_000_000;
/** How many checkouts one statement inserts. */
const BATCH = 20_000;

const { dialectOf } = connectWith({ postgresPool, sqliteDialect });

/**
 * Runs the statement once for each batch of the numbers from 1 to `all`. Replaces `NUMBERS` in the statement with a
 * common table expression `n(i)` that has the numbers of the batch.
 */
async function insertNumbered(kysely, statement) {
  for (let from = 1; from <= all; from += BATCH) {
    const to = Math.min(all, from + BATCH - 1);
    const numbers = `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})`;
    await sql.raw(`${statement.replace('NUMBERS', numbers)}`).execute(kysely);
  }
}

/** Inserts the checkouts. A quarter of them have an order. The subject's checkouts without an order have expired. */
async function fill(kysely) {
  const isPaid = `i / ${STEP} % 4 = 0`;
  const isOwn = `i % ${STEP} = 0`;
  const reference = `'r' || (1000000000 + i)`;
  const createdAt = `${FIRST_TIME} + i`;
  const subject = `case when ${isOwn} then '${SUBJECT}' else 'other-' || (i % 997) end`;
  const terms = `"widget":"on-ramp","params":{"walletAddress":"0xabc0000000000000000000000000000000000001","walletAddressLocked":"1","amount":"100","fiatCurrency":"USD","cryptoCurrencyCode":"USDT_ERC20"},"proposal":{"amount":"100"},"metadata":{"cart":["print-7","print-9"]}`;
  await insertNumbered(
    kysely,
    `insert into ramp_intents
      (reference, subject, created_at, expires_at, open_until, outcome, opened_at, matched_order_id, intent)
      NUMBERS select ${reference}, ${subject}, ${createdAt}, ${createdAt} + 86400,
        case when ${isPaid} or ${isOwn} then null else ${createdAt} + 86400 end,
        case when ${isOwn} and not (${isPaid}) then 'expired' end, ${createdAt},
        case when ${isPaid} then 'o' || i end,
        '{"reference":"' || ${reference} || '","subject":"' || ${subject} || '",${terms},"createdAt":' || (${createdAt}) || ',"expiresAt":' || (${createdAt} + 86400) || '}'
      from n`,
  );
  const order = `"orderStatus":3,"kind":"on-ramp","state":"finished","fiatCurrency":"USD","currencyAmount":"100.00","cryptoCurrencyAmount":"97.09000000","walletAddress":"0xabc0000000000000000000000000000000000001","txHash":"0xf00d","nftDetails":[]`;
  await insertNumbered(
    kysely,
    `insert into ramp_orders (order_id, first_event_id, reference, match_status, changed_at, record)
      NUMBERS select 'o' || i, i, ${reference}, 'matched', ${createdAt},
        '{"matchStatus":"matched","reference":"' || ${reference} || '","order":{"orderId":"o' || i || '",${order}},"firstSeenAt":1,"changedAt":1}'
      from n where ${isPaid}`,
  );
  await sql`analyze`.execute(kysely);
}

async function measure(name, target, explain) {
  const logged = [];
  const kysely = new Kysely({
    dialect: dialectOf(target),
    log: ({ query }) => void logged.push(query),
  });
  try {
    const store = sqlOrderStore(kysely);
    await store.lastEventId();
    const from = performance.now();
    await fill(kysely);
    const seconds = ((performance.now() - from) / 1000).toFixed(0);
    console.log(
      `${name}: ${all} checkouts, ${own} of one subject; filled in ${seconds} s; load average ${loadavg()[0].toFixed(0)}`,
    );
    const list = (query) => store.listCheckouts({ subject: SUBJECT, limit: PAGE, ...query });
    const deepest = { createdAt: FIRST_TIME + STEP * (PAGE + 1), reference: '' };
    const reads = {
      'one checkout by its reference (baseline)': [
        1,
        async () => [await store.findCheckout(`r${1_000_000_000 + STEP}`, { subject: SUBJECT })],
      ],
      'first page': [PAGE, () => list({})],
      'deepest page': [PAGE, () => list({ before: deepest })],
      'open checkouts, none of all': [0, () => list({ openAt: FIRST_TIME })],
    };
    const times = new Map(Object.keys(reads).map((title) => [title, []]));
    // Alternate the reads, so that other load on the machine slows all of them.
    for (let i = 0; i < READS; i++)
      for (const [title, [count, read]] of Object.entries(reads)) {
        const start = performance.now();
        const found = await read();
        times.get(title).push(performance.now() - start);
        if (found.filter(Boolean).length !== count)
          throw new Error(`${title}: ${found.length} checkouts were read.`);
      }
    for (const [title, [, read]] of Object.entries(reads)) {
      const sorted = times.get(title).sort((a, b) => a - b);
      const [median, p99] = [READS / 2, Math.ceil(READS * 0.99) - 1].map((i) => sorted[i]);
      console.log(
        `  ${title}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, limit ${LIMIT_MS} ms`,
      );
      logged.length = 0;
      await read();
      const [query] = logged;
      const plan = await kysely.executeQuery({ ...query, sql: `${explain} ${query.sql}` });
      for (const row of plan.rows) console.log(`    ${row.detail ?? row['QUERY PLAN']}`);
      if (p99 > LIMIT_MS) process.exitCode = 1;
    }
  } finally {
    await kysely.destroy();
  }
}

async function startPostgres() {
  const server = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = await once(server.stdout, 'data');
  const close = async () => {
    const gone = once(server, 'exit');
    server.stdin.end();
    await gone;
  };
  return { url: `${output}`.trim(), close };
}

const folder = mkdtempSync(join(tmpdir(), 'ramp-list-'));
try {
  await measure('SQLite', join(folder, 'orders.db'), 'explain query plan');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const { DATABASE_URL } = process.env;
const { url, close } = DATABASE_URL
  ? { url: DATABASE_URL, close: async () => {} }
  : await startPostgres();
const schema = `ramp_list_${process.pid}`;
const owner = new Kysely({ dialect: dialectOf(url) });
try {
  await owner.schema.createSchema(schema).execute();
  const target = new URL(url);
  target.searchParams.set('options', `-c search_path=${schema}`);
  await measure('PostgreSQL', target.href, 'explain (analyze, buffers)');
} finally {
  await owner.schema.dropSchema(schema).ifExists().cascade().execute();
  await owner.destroy();
  await close();
}
