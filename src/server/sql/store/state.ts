import { sql } from 'kysely';
import type { ReplayStore, SyncStateStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection, SqlDialect } from '../SqlDatabase.js';
import { toKey } from '../schema.js';
import { executeWrite, executeWrites } from '../transactions/withTransaction.js';
import { updateAnnounced } from './checkouts.js';

export const syncState = (open: OpenDatabase): SyncStateStore => ({
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
  async readWatermark() {
    const { db } = await open();
    const state = db.selectFrom('ramp_state').select('watermark');
    const { watermark } = await state.executeTakeFirstOrThrow();
    return watermark === null ? undefined : Number(watermark);
  },
  async writeWatermark(to, memory) {
    const changes =
      memory === undefined ? {} : { sync_memory: memory, sync_revision: NEXT_REVISION };
    await executeWrite(await open(), (db) => updateState(db).set({ watermark: to, ...changes }));
  },
  async readSyncState() {
    const { db } = await open();
    const state = db.selectFrom('ramp_state').select(['watermark', 'sync_memory', 'sync_revision']);
    const row = await state.executeTakeFirstOrThrow();
    return {
      revision: Number(row.sync_revision),
      watermark: row.watermark === null ? undefined : Number(row.watermark),
      memory: row.sync_memory ?? undefined,
    };
  },
  async writeSyncState({ revision, watermark, memory }) {
    const [written] = await executeWrite(await open(), (db) =>
      updateState(db)
        .set({
          watermark: watermark ?? null,
          sync_memory: memory ?? null,
          sync_revision: NEXT_REVISION,
        })
        .where('sync_revision', '=', revision)
        .returning('id'),
    );
    return written !== undefined;
  },
});

const NEXT_REVISION = sql<number>`sync_revision + 1`;

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
 * A stored lease that ends later than a new one would end is ignored, because it was written while the clock of the
 * database was ahead.
 *
 * @param seconds - How long a lease lasts without a renewal.
 */
export const syncLease = (
  open: OpenDatabase,
  seconds = LEASE_SECONDS,
): Pick<SyncStateStore, 'withSyncLease'> => ({
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

export const replays = (open: OpenDatabase): ReplayStore => ({
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
