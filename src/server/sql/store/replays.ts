import type { ReplayStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { toKey } from '../schema/toKey.js';
import { executeWrites } from '../transactions/executeWrite.js';
import { updateAnnounced } from './checkouts.js';

/** Creates the replay store. */
export const replays = (open: OpenDatabase): ReplayStore => ({
  async claimReplay(hash, keepUntil, now, announced) {
    return executeWrites(await open(), async (db) => {
      const isNew = (await insertReplay(db, hash, keepUntil, now).execute()).length > 0;
      if (isNew && announced !== undefined) await updateAnnounced(db, announced, now).execute();
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
