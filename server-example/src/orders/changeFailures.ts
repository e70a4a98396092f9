import type { PendingChange } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import { type Kysely, sql } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';

/** Why the shop could not apply a change of an order. */
export interface ChangeFailure {
  /** When the last attempt failed, Unix seconds. */
  readonly at: number;
  readonly message: string;
  /** The number of failed attempts. */
  readonly tries: number;
}

/** Records why a change could not be applied, and counts the attempts. Only the last reason is kept. */
export async function recordFailure(
  { db }: Pick<ShopDatabase, 'db'>,
  { key, record, intent }: PendingChange,
  error: unknown,
  at: number,
): Promise<void> {
  const failure = { at, message: describeFailure(error) };
  await withTransaction(db, (connection) =>
    connection
      .insertInto('shop_failures')
      .values({
        key,
        order_id: record.order.orderId,
        reference: intent?.reference ?? '',
        subject: intent?.subject ?? '',
        ...failure,
        tries: 1,
      })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ ...failure, tries: sql<number>`shop_failures.tries + 1` }),
      )
      .execute(),
  );
}

/** Deletes the failure of a change, because the shop has applied it. */
export async function deleteFailure(db: Kysely<ShopTables>, key: string): Promise<void> {
  await db.deleteFrom('shop_failures').where('key', '=', key).execute();
}

/** Returns the last failure of each change that has one, by the key of the change. */
export async function findFailures(
  { db }: Pick<ShopDatabase, 'db'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ChangeFailure>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('shop_failures')
    .select(['key', 'at', 'message', 'tries'])
    .where('key', 'in', keys)
    .execute();
  return new Map(
    rows.map(({ key, at, message, tries }) => [
      key,
      { at: Number(at), message, tries: Number(tries) },
    ]),
  );
}

const MAX_MESSAGE = 200;

/**
 * Describes an error in one line: its code, or its class, and its message. Leaves out what may be a secret or personal:
 * credentials and queries of URLs, tokens, values of keys and passwords, and e-mail addresses.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown error';
  const { code } = error as { code?: unknown };
  const name = typeof code === 'string' && code !== '' ? code : error.name;
  const message = error.message
    .replace(/[\p{Cc}\p{Cs}\p{Cf}\s]+/gu, ' ')
    .replace(/\/\/[^/\s]*@/g, '//…@')
    .replace(/(\/\/[^\s?#]*)[?#]\S*/g, '$1?…')
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 …')
    .replace(/\b(\w*(?:password|secret|token|key))(["']?\s*[=:]\s*)\S+/gi, '$1$2…')
    .replace(/[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+/g, '…@…')
    .trim();
  const text = message === '' ? name : `${name}: ${message}`;
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE - 1)}…`;
}
