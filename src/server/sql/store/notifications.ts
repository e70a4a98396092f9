import { sql } from 'kysely';
import type { Runtime, Timer } from '../../internal/runtime.js';
import type { OrderStore } from '../../orders/store/OrderStore.js';
import type { PostgresListener } from '../postgresListener.js';
import type { OpenDatabase } from '../SqlDatabase.js';

interface NotificationOptions {
  readonly open: OpenDatabase;
  readonly runtime: Runtime;
  readonly listener: PostgresListener;
}

/**
 * How long the listener stays connected after the last event stream has ended. Otherwise a shopper who reloads a page
 * would cause a connection each time.
 */
const LINGER_MS = 30_000;

/**
 * The channel of the tables, which the number of the log's table identifies: several schemas of one database may each
 * have a store.
 */
const CHANNEL = sql<string>`concat('ramp_events_', 'ramp_events'::regclass::oid)`;

/**
 * Notifies the other instances on a PostgreSQL of the writes of this one, and makes `onRecorded` report theirs as well.
 *
 * A notification follows its commit, in a statement of its own. Inside the transaction, it would be one more reason for
 * a commit to fail or to wait: PostgreSQL takes a lock for it that all databases of the server share, and refuses the
 * commit if its queue is full. If a notification is lost, the next poll of the log finds the change. Its payload is
 * empty, so the reader needs no more than one of several that arrive together.
 */
export function withNotifications<Store extends OrderStore>(
  store: Store,
  { open, runtime, listener }: NotificationOptions,
): Store {
  const listeners = new Set<() => void>();
  let stopListening: (() => void) | undefined;
  let linger: Timer | undefined;
  const source = {
    async findChannel() {
      const { db } = await open();
      const { rows } = await sql<{ channel: string }>`select ${CHANNEL} as channel`.execute(db);
      return `${rows[0]?.channel}`;
    },
    async notify(channel: string) {
      const { db } = await open();
      await sql`select pg_notify(${channel}, '')`.execute(db);
    },
    onNotification() {
      for (const listen of listeners) listen();
    },
  };

  let isNotifying = false;
  let hasMore = false;
  /** Notifies once for all writes that end while a notification is sent. */
  async function notifyOthers(): Promise<void> {
    hasMore = true;
    if (isNotifying) return;
    isNotifying = true;
    try {
      const { db } = await open();
      while (hasMore) {
        hasMore = false;
        await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
      }
    } catch {
      // The others find the change with their next poll.
    } finally {
      isNotifying = false;
    }
  }

  store.onRecorded?.(() => void notifyOthers());
  return {
    ...store,
    onRecorded(listen) {
      const stopOwn = store.onRecorded?.(listen);
      listeners.add(listen);
      runtime.clearTimeout(linger);
      stopListening ??= listener.listen(source);
      return () => {
        stopOwn?.();
        if (!listeners.delete(listen) || listeners.size > 0) return;
        linger = runtime.setTimeout(() => {
          stopListening?.();
          stopListening = undefined;
        }, LINGER_MS);
        linger.unref();
      };
    },
  };
}
