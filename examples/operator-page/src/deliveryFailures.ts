import type { OrderToReview } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import { type Kysely, sql } from 'kysely';
import type { OperatorDatabase, OperatorTables } from './operatorTables.js';

/** Why the shop could not deliver or review an order. */
export interface DeliveryFailure {
  /** When the last attempt failed, Unix seconds. */
  readonly at: number;
  readonly message: string;
  /** The number of failed attempts. */
  readonly tries: number;
}

/** Records why an order could not be delivered or reviewed, and counts the attempts. Only the last reason is kept. */
export async function recordFailure(
  { db }: OperatorDatabase,
  { orderId, checkout }: Pick<OrderToReview, 'orderId' | 'checkout'>,
  error: unknown,
  at: number,
): Promise<void> {
  const { reference = '', subject = '' } = checkout ?? {};
  const failure = { at, message: describeFailure(error) };
  await withTransaction(db, (connection) =>
    connection
      .insertInto('shop_failures')
      .values({ order_id: orderId, reference, subject, ...failure, tries: 1 })
      .onConflict((conflict) =>
        conflict
          .column('order_id')
          .doUpdateSet({ ...failure, tries: sql<number>`shop_failures.tries + 1` }),
      )
      .execute(),
  );
}

/** Deletes the failure of an order, because the shop has delivered or reviewed it. */
export async function deleteFailure(db: Kysely<OperatorTables>, orderId: string): Promise<void> {
  await db.deleteFrom('shop_failures').where('order_id', '=', orderId).execute();
}

/** Returns the last failure of each of these orders that has one. */
export async function findFailures(
  { db }: OperatorDatabase,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryFailure>> {
  const rows = await db
    .selectFrom('shop_failures')
    .select(['order_id', 'at', 'message', 'tries'])
    .where('order_id', 'in', orderIds)
    .execute();
  return new Map(
    rows.map(({ order_id, at, message, tries }) => [
      order_id,
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
