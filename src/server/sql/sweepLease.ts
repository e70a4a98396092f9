import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { OrderStore } from '../OrderStore.js';
import type { Connection, Open, SqlDialect } from './SqlDatabase.js';
import { write } from './write.js';

/** For so long nobody else sweeps after an instance has died. */
const LEASE_SECONDS = 30;

/** The clock of the database, which all instances share. */
const NOW = {
  postgres: sql<number>`floor(extract(epoch from clock_timestamp()))::bigint`,
  sqlite: sql<number>`cast(strftime('%s', 'now') as integer)`,
} satisfies Record<SqlDialect, unknown>;

/**
 * A lease is renewed while its sweep runs. It holds no connection meanwhile: a pool of one is enough,
 * and there is none that could break unheard.
 */
export const sweepLease = (open: Open, seconds = LEASE_SECONDS): Pick<OrderStore, 'runAlone'> => ({
  async runAlone(sweep) {
    const database = await open();
    const sweeper = randomUUID();
    const now = NOW[database.dialect];
    const until = sql<number>`${now} + ${sql.lit(seconds)}`;
    const [taken] = await write(database, (db) =>
      state(db)
        .set({ sweeper, sweep_until: until })
        .where('sweep_until', '<=', now)
        .returning('id'),
    );
    if (!taken) return false;
    const mine = (db: Connection) => state(db).where('sweeper', '=', sweeper);
    const renew = () => write(database, (db) => mine(db).set({ sweep_until: until }));
    const release = () => write(database, (db) => mine(db).set({ sweeper: null, sweep_until: 0 }));
    const renewal = setInterval(() => renew().catch(() => {}), (seconds * 1000) / 3);
    renewal.unref();
    try {
      await sweep();
    } finally {
      clearInterval(renewal);
      // Where this fails it ends by itself.
      await release().catch(() => {});
    }
    return true;
  },
});

const state = (db: Connection) => db.updateTable('ramp_state');
