import type { ReplayMemory } from '../OrderStore.js';
import { keyOf } from './keyOf.js';
import type { Open } from './SqlDatabase.js';
import { write } from './write.js';

export const replays = (open: Open): ReplayMemory => ({
  async rememberReplay(hash, keepUntil, now) {
    const taken = await write(await open(), (db) =>
      db
        .insertInto('ramp_replays')
        .values({ hash: keyOf(hash), keep_until: keepUntil })
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
