import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { at, onRampIntent, onRampOrder } from '../../support/orders.js';
import type { RemoteStore } from '../../support/remote-store.js';
import { sqlDatabases } from '../../support/sql-databases.js';

const ROUNDS = 50;
/** So long does a round write at the most before its process is killed. */
const MAX_WRITING_MS = 150;

interface Acknowledged {
  readonly references: string[];
  readonly orderIds: string[];
  readonly hashes: string[];
}

/** Writes until the process is killed, and answers what was acknowledged until then. */
async function writeUntilKilled({ store }: RemoteStore, round: number): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { references: [], orderIds: [], hashes: [] };
  try {
    for (let i = 0; ; i++) {
      const reference = `r${round}-${i}`;
      await store.saveIntent(onRampIntent({ reference }));
      acknowledged.references.push(reference);
      await store.rememberReplay(`h${round}-${i}`, at + 600, at);
      acknowledged.hashes.push(`h${round}-${i}`);
      const page = [0, 1, 2].map((n) =>
        onRampOrder({ orderId: `o${round}-${i}-${n}`, ext: reference }),
      );
      await store.recordOrders(page, at);
      acknowledged.orderIds.push(...page.map(({ orderId }) => orderId));
    }
  } catch (error) {
    if (!/gone/.test(`${error}`)) throw error;
  }
  return acknowledged;
}

describe.each(sqlDatabases)('a process that is killed %s', (_, empty) => {
  it(`${ROUNDS} times while it writes loses nothing that it acknowledged`, async () => {
    const database = await empty();
    let process = database.remote();
    let total = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { store } = process;
      await store.lastEventId();
      const writing = writeUntilKilled(process, round);
      await new Promise((done) => setTimeout(done, Math.random() * MAX_WRITING_MS));
      // The next one starts meanwhile.
      const next = database.remote();
      await process.kill();
      process = next;
      const { references, orderIds, hashes } = await writing;
      total += references.length + orderIds.length + hashes.length;

      const reopened = database.connect();
      const lost = async (table: string, column: string, keys: readonly string[]) => {
        const rows = sql<{
          key: string;
        }>`select ${sql.ref(column)} as key from ${sql.table(table)}`;
        const kept = new Set((await rows.execute(reopened)).rows.map(({ key }) => key));
        return keys.filter((key) => !kept.has(key));
      };
      expect(await lost('ramp_intents', 'reference', references)).toEqual([]);
      expect(await lost('ramp_orders', 'order_id', orderIds)).toEqual([]);
      expect(await lost('ramp_replays', 'hash', hashes)).toEqual([]);
      // A page is recorded whole or not at all.
      const counts = await sql<Record<'orders' | 'events' | 'changes' | 'last', number | string>>`
        select (select count(*) from ramp_orders) as orders,
          (select count(*) from ramp_events) as events,
          (select count(*) from ramp_changes) as changes,
          (select last_event_id from ramp_state) as last`.execute(reopened);
      const [orders, ...others] = Object.values(counts.rows[0] ?? {}).map(Number);
      expect(others).toEqual([orders, orders, orders]);
      expect(Number(orders) % 3).toBe(0);
      await reopened.destroy();
    }
    globalThis.process.stdout.write(`${ROUNDS} kills: ${total} rows acknowledged, none lost\n`);
    expect(total).toBeGreaterThan(ROUNDS);
  });
});
