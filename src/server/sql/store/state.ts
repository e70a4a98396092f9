import { sql } from 'kysely';
import type { OrderStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection, SqlDialect } from '../SqlDatabase.js';
import { toKey } from '../schema.js';
import { executeWrite, executeWrites } from '../transactions/withTransaction.js';
import { selectAnnounced, updateAnnounced } from './checkouts.js';

type SyncMethods = Pick<
  OrderStore,
  'claimPartner' | 'readSyncState' | 'writeSyncState' | 'findWork' | 'withSyncLease'
>;

export const syncState = (open: OpenDatabase): SyncMethods => ({
  ...syncLease(open),
  async claimPartner({ partnerId, environment }) {
    const database = await open();
    const columns = ['partner_id', 'environment'] as const;
    const state = database.db.selectFrom('ramp_state').select(columns);
    let row = await state.executeTakeFirstOrThrow();
    const isNew =
      (partnerId !== undefined && row.partner_id === null) ||
      (environment !== undefined && row.environment === null);
    if (isNew)
      [row = row] = await executeWrite(database, (db) =>
        updateState(db)
          .set(({ fn, ref, val }) => ({
            partner_id: fn.coalesce(ref('partner_id'), val(partnerId ?? null)),
            environment: fn.coalesce(ref('environment'), val(environment ?? null)),
          }))
          .returning(columns),
      );
    return { partnerId: row.partner_id ?? undefined, environment: row.environment ?? undefined };
  },
  async readSyncState() {
    const { db } = await open();
    const row = await db
      .selectFrom('ramp_state')
      .select(['sync_state', 'sync_revision'])
      .executeTakeFirstOrThrow();
    return { revision: Number(row.sync_revision), state: row.sync_state ?? undefined };
  },
  async writeSyncState({ revision, state }) {
    const [written] = await executeWrite(await open(), (db) =>
      updateState(db)
        .set({ sync_state: state ?? null, sync_revision: revision + 1 })
        .where('sync_revision', '=', revision)
        .returning('id'),
    );
    return written !== undefined;
  },
  async findWork({ announcedSince, unsettledSince }) {
    const { db } = await open();
    const { fn } = db;
    const one = await db
      .selectNoFrom((eb) => [
        eb
          .selectFrom('ramp_checkouts')
          .select('created_at')
          .where('id', '=', (one) =>
            one
              .selectFrom('ramp_checkouts as checkout')
              .select((checkout) => checkout.fn.max('checkout.id').as('max')),
          )
          .as('newestCheckoutAt'),
        // SQLite uses the partial index only if the query repeats its condition.
        eb
          .selectFrom('ramp_checkouts')
          .select(fn.max('open_until').as('max'))
          .where('open_until', 'is not', null)
          .as('openUntil'),
        selectAnnounced(db, announcedSince)
          .clearSelect()
          .select(fn.max('announced_at').as('max'))
          .as('announcedAt'),
        eb.selectFrom('ramp_changes').select(fn.min('not_before').as('min')).as('nextDeliveryAt'),
        eb
          .selectFrom('ramp_orders')
          .select(fn.min('unsettled_since').as('min'))
          .where('unsettled_since', '>=', unsettledSince)
          .as('unsettledSince'),
      ])
      .executeTakeFirstOrThrow();
    const toTime = (value: unknown) => (value === null ? undefined : Number(value));
    return {
      newestCheckoutAt: toTime(one.newestCheckoutAt),
      hasOpenCheckouts: one.openUntil !== null,
      announcedAt: toTime(one.announcedAt),
      nextDeliveryAt: toTime(one.nextDeliveryAt),
      unsettledSince: toTime(one.unsettledSince),
    };
  },
});

/**
 * How long a lease lasts after its last renewal. If its instance crashes or freezes, the lease expires, and another
 * instance can sync.
 */
const LEASE_SECONDS = 9;

/**
 * Times in the database are whole seconds, so a lease may end there up to a second early. `hasLease` allows for that.
 */
const MARGIN_MS = 1000;

/** The clock of the database in Unix seconds. Leases use it, because all instances share it. */
const NOW = {
  postgres: sql<number>`floor(extract(epoch from clock_timestamp()))::bigint`,
  sqlite: sql<number>`cast(strftime('%s', 'now') as integer)`,
} satisfies Record<SqlDialect, unknown>;

/**
 * Creates `withSyncLease`. This instance renews the lease while its sync runs. The lease does not hold a connection, so
 * a pool of one connection is enough, and a broken connection cannot end the lease unnoticed.
 *
 * A stored lease that ends later than a new one would end is ignored, because it was written while the database's clock
 * was ahead.
 *
 * @param seconds - How long a lease lasts without a renewal.
 */
export const syncLease = (
  open: OpenDatabase,
  seconds = LEASE_SECONDS,
): Pick<OrderStore, 'withSyncLease'> => ({
  async withSyncLease(sync) {
    const database = await open();
    const { runtime } = database;
    const owner = runtime.randomUUID();
    const now = NOW[database.dialect];
    const until = sql<number>`${now} + ${sql.lit(seconds)}`;
    // Take the time before the request, so that `renewedAt` is never later than the start of the lease in the database.
    let renewedAt = runtime.monotonic();
    const [taken] = await executeWrite(database, (db) =>
      updateState(db)
        .set({ lease_owner: owner, lease_until: until })
        .where(({ or, eb }) => or([eb('lease_until', '<=', now), eb('lease_until', '>', until)]))
        .returning('id'),
    );
    if (!taken) return false;
    const updateOwnLease = (db: SqlConnection) => updateState(db).where('lease_owner', '=', owner);
    const renewLease = async () => {
      const at = runtime.monotonic();
      const rows = await executeWrite(database, (db) =>
        updateOwnLease(db).set({ lease_until: until }).returning('id'),
      );
      renewedAt = rows.length > 0 ? at : Number.NEGATIVE_INFINITY;
    };
    const release = () =>
      executeWrite(database, (db) => updateOwnLease(db).set({ lease_owner: null, lease_until: 0 }));
    // Ignore the error of a renewal, because the next renewal tries again.
    const renewal = runtime.setInterval(
      () => void renewLease().catch(() => {}),
      (seconds * 1000) / 3,
    );
    renewal.unref();
    try {
      await sync(() => runtime.monotonic() - renewedAt < seconds * 1000 - MARGIN_MS);
    } finally {
      runtime.clearInterval(renewal);
      // Ignore an error: a lease that is not released expires.
      await release().catch(() => {});
    }
    return true;
  },
});

const updateState = (db: SqlConnection) => db.updateTable('ramp_state');

export const replays = (open: OpenDatabase): Pick<OrderStore, 'claimReplay'> => ({
  async claimReplay(hash, keepUntil, now, announced) {
    return executeWrites(await open(), async (db) => {
      const isNew = (await insertReplay(db, hash, keepUntil, now).execute()).length > 0;
      if (announced !== undefined) await updateAnnounced(db, announced, now).execute();
      return isNew;
    });
  },
});

const insertReplay = (db: SqlConnection, hash: string, keepUntil: number, now: number) =>
  db
    .insertInto('ramp_replays')
    .values({ hash: toKey(hash), keep_until: keepUntil })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ keep_until: keepUntil })
        .where('ramp_replays.keep_until', '<=', now),
    )
    .returning('hash');
