import type { ReplayStore } from '../../orders/store/ReplayStore.js';
import type { OpenDatabase } from '../SqlDatabase.js';
import { toKey } from '../schema/toKey.js';
import { executeWrite } from '../transactions/executeWrite.js';

/** Creates the replay store. */
export const replays = (open: OpenDatabase): ReplayStore => ({
  async claimReplay(hash, keepUntil, now) {
    const taken = await executeWrite(await open(), (db) =>
      db
        .insertInto('ramp_replays')
        .values({ hash: toKey(hash), keep_until: keepUntil })
        .onConflict((conflict) =>
          conflict
            .column('hash')
            .doUpdateSet({ keep_until: keepUntil })
            .where('ramp_replays.keep_until', '<=', now),
        )
        .returning('hash'),
    );
    return taken.length > 0;
  },
});
