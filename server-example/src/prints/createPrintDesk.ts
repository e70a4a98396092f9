import { inTransaction } from '../database/inTransaction.js';
import type { Database } from '../database/openDatabase.js';

/** Longer than the service takes a signed address, and long enough to pay. */
const HOLD_SECONDS = 15 * 60;

/** Whether a print of which there is one can be bought, by who asks. */
export type PrintState =
  | { readonly state: 'for-sale' | 'sold' | 'yours' }
  /** By somebody else, until then (Unix seconds). */
  | { readonly state: 'held'; readonly heldUntil: number };

/** Looks after the prints of which there is one. */
export interface PrintDesk {
  /**
   * Holds a print for a shopper from now on, unless it is sold or somebody else holds it. Of several at
   * the same time one is told `for-sale`. A hold is no sale: who pays after it has ended may come second.
   */
  hold(printId: string, subject: string): Promise<PrintState>;
  /** Whatever is sold or held. What is missing is for sale. */
  states(subject: string | undefined): Promise<ReadonlyMap<string, PrintState>>;
}

/** @param now - Milliseconds since 1970. */
export function createPrintDesk(database: Database, now: () => number): PrintDesk {
  const { db } = database;
  const seconds = () => Math.floor(now() / 1000);

  const desk: PrintDesk = {
    async hold(printId, subject) {
      const at = seconds();
      const held_until = at + HOLD_SECONDS;
      await inTransaction(database, (held) =>
        held
          .insertInto('shop_holds')
          .values({ print_id: printId, subject, held_until })
          // One statement, so that of two at the same time the second sees the first.
          .onConflict((conflict) =>
            conflict
              .column('print_id')
              .doUpdateSet({ subject, held_until })
              .where(({ or, eb }) =>
                or([eb('shop_holds.held_until', '<=', at), eb('shop_holds.subject', '=', subject)]),
              ),
          )
          .execute(),
      );
      return (await desk.states(subject)).get(printId) ?? { state: 'for-sale' };
    },
    async states(subject) {
      const holds = await db
        .selectFrom('shop_holds')
        .selectAll()
        .where('held_until', '>', seconds())
        .execute();
      const sold = await db.selectFrom('shop_sold').selectAll().execute();
      const states = new Map<string, PrintState>();
      for (const { print_id, subject: holder, held_until } of holds)
        if (holder !== subject)
          states.set(print_id, { state: 'held', heldUntil: Number(held_until) });
      for (const { print_id, subject: buyer } of sold)
        states.set(print_id, { state: buyer === subject ? 'yours' : 'sold' });
      return states;
    },
  };
  return desk;
}
