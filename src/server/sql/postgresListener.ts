import { createConfigError, isRampError, RampError } from '../../protocol/errors/RampError.js';
import { isolateListener, logError } from '../internal/errorReports.js';
import { flag, func, milliseconds, type OptionReader, readOptions } from '../internal/options.js';
import { processRuntime, type Runtime, sleep } from '../internal/runtime.js';
import { withTimeLimit } from '../internal/withTimeLimit.js';

/** The part of a `pg` client that `postgresListener` uses. */
interface ListeningClient {
  /** The socket. `end` alone would wait for a server that does not respond. */
  readonly connection?: { readonly stream?: { destroy(): void } };
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  unref?(): void;
  on(event: 'notification', listener: (message: { channel: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

/**
 * Options of `postgresListener`. All options of `pg.Client` are accepted too, and replace the defaults of
 * `postgresListener`.
 */
export interface PostgresListenerOptions<Client, Config> {
  /** The class `Client` of the package `pg`, version 8. */
  readonly Client: new (
    config?: Config,
  ) => Client;
  /**
   * Is called with an error when listening fails: once, not at every attempt to connect again. Until `onListening` is
   * called, streams send changes of other instances within a second. @default console.error
   */
  readonly onError?: ((error: RampError) => void) | undefined;
  /** Is called each time when listening begins: at first, and after a failure. */
  readonly onListening?: (() => void) | undefined;
}

/** Tells a store about the writes of other instances. Create it with {@link postgresListener}. */
export interface PostgresListener {
  /**
   * Is called by the store when the first event stream of this process opens.
   *
   * @returns A function that ends the connection.
   */
  listen(source: NotificationSource): () => void;
}

/** What a {@link PostgresListener} needs from its store. */
export interface NotificationSource {
  /** Resolves with the channel of the store's tables: a name that needs no quotes, of less than 40 bytes. */
  readonly findChannel: () => Promise<string>;
  /** Notifies a channel through the pool of the store. */
  readonly notify: (channel: string) => Promise<unknown>;
  /** Is called at each notification of the store's channel, and when listening begins. */
  readonly onNotification: () => void;
}

/** How often the connection is probed: a pooler, a firewall or a failover may drop it without a word. */
const PROBE_INTERVAL_MS = 10_000;
/** How long a notification may take to arrive. */
const PROBE_MS = 3000;
/** The shortest and the longest pause before the next connection. */
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 30_000;

/**
 * Creates a listener for {@link sqlOrderStore}: with it, event streams send a change of another instance at once
 * instead of within a second. Pass it to the store of every process, because the store also uses it to tell the others
 * about its own writes. It works by `LISTEN` and `NOTIFY` of PostgreSQL.
 *
 * While this process has event streams, the listener holds one connection of its own, outside the pool. A connection
 * pooler with transaction pooling drops `LISTEN`, and a read replica refuses it, so `connectionString` must lead to the
 * primary itself. The listener probes the connection at first and every 10 seconds. If it fails, the listener connects
 * again, with exponential backoff and jitter of at most 30 seconds, and streams send changes within a second meanwhile.
 *
 * Defaults, which you can replace: `connectionTimeoutMillis` 5 s, `query_timeout` 5 s, `keepAlive` true.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when `Client` is missing, or an option above is malformed.
 * @example
 * const listener = postgresListener({ Client: pg.Client, connectionString: process.env.DATABASE_URL });
 * const store = sqlOrderStore(kysely, { listener });
 */
export function postgresListener<Client, Config>(
  options: PostgresListenerOptions<Client, Config> & Extract<Config, object>,
): PostgresListener;
/** @internal */
export function postgresListener<Client, Config>(
  options: PostgresListenerOptions<Client, Config> & Extract<Config, object>,
  runtime: Runtime,
): PostgresListener;
export function postgresListener<Client, Config>(
  options: PostgresListenerOptions<Client, Config> & Extract<Config, object>,
  runtime: Runtime = processRuntime,
): PostgresListener {
  const { Client, config, onError, onListening } = readListenerOptions(options);
  const create = () => new Client(config as Config) as unknown as ListeningClient;
  /** Whether the last attempt worked. Undefined before the first one. */
  let isListening: boolean | undefined;
  const begin = () => {
    if (!isListening) onListening();
    isListening = true;
  };
  const fail = (error: unknown) => {
    if (isListening !== false) onError(explainFailure(error));
    isListening = false;
  };
  return {
    listen(source) {
      const stopping = new AbortController();
      const host = { create, runtime: withoutHold(runtime), signal: stopping.signal };
      void keepListening(host, source, { begin, fail });
      return () => stopping.abort();
    },
  };
}

function readListenerOptions<Client, Config>(options: PostgresListenerOptions<Client, Config>) {
  const readClient: OptionReader<typeof options.Client> = (value, { refuse }) =>
    typeof value === 'function'
      ? (value as typeof options.Client)
      : refuse(
          "needs a Client: the class of the package pg. Write import pg from 'pg', and pass pg.Client as Client.",
        );
  const { Client, onError, onListening, ...own } = readOptions(
    'postgresListener',
    options,
    {
      Client: readClient,
      onError: func<(error: RampError) => void>(logError),
      onListening: func(() => {}),
      connectionTimeoutMillis: milliseconds(5000),
      query_timeout: milliseconds(5000),
      keepAlive: flag(true),
    },
    'misspelt',
  );
  const config = { ...options, ...own };
  return {
    Client,
    config,
    onError: isolateListener(onError),
    onListening: isolateListener<void>(onListening),
  };
}

/** Returns the runtime with timers that do not keep the process alive. */
const withoutHold = (runtime: Runtime): Runtime => ({
  ...runtime,
  setTimeout(work, ms) {
    const timer = runtime.setTimeout(work, ms);
    timer.unref();
    return timer;
  },
});

interface ListenerHost {
  readonly create: () => ListeningClient;
  readonly runtime: Runtime;
  /** Is aborted when listening is no longer needed. */
  readonly signal: AbortSignal;
}

/** Connects and listens. When that fails, it tries again, with exponential backoff and jitter, until it is stopped. */
async function keepListening(
  host: ListenerHost,
  source: NotificationSource,
  { begin, fail }: { readonly begin: () => void; readonly fail: (error: unknown) => void },
): Promise<void> {
  const { runtime, signal } = host;
  let failures = 0;
  const onProved = () => {
    failures = 0;
    begin();
    // Notifications were lost while nothing listened.
    source.onNotification();
  };
  while (!signal.aborted) {
    try {
      await listenOnce(host, source, onProved);
    } catch (error) {
      if (signal.aborted) return;
      fail(error);
    }
    const longestMs = Math.min(FIRST_RETRY_MS * 2 ** failures++, LONGEST_RETRY_MS);
    // The pause ends early when listening is no longer needed.
    await sleep(runtime, longestMs * (0.5 + runtime.random() / 2), signal).catch(() => {});
  }
}

/** Holds one connection that listens. It rejects when the connection is lost, fails a probe, or is no longer needed. */
async function listenOnce(
  { create, runtime, signal }: ListenerHost,
  { findChannel, notify, onNotification }: NotificationSource,
  onProved: () => void,
): Promise<void> {
  const client = create();
  const lost = new AbortController();
  const lose = (error: unknown) => lost.abort(error);
  const stop = () => lose(signal.reason);
  signal.addEventListener('abort', stop);
  client.on('error', lose);
  client.on('end', () => lose(new Error('The server closed the connection.')));
  let onProbe = () => {};

  /** Notifies this connection through the pool, as another instance would, and waits for the notification. */
  async function probe(channel: string, isFirst: boolean): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      onProbe = resolve;
    });
    try {
      await notify(channel);
    } catch (error) {
      // After the first probe, a failure of the pool says nothing about this connection.
      if (isFirst) throw error;
      return;
    }
    const onTimeout = () => {
      throw createSilenceError();
    };
    await withTimeLimit({ runtime, limitMs: PROBE_MS, onTimeout }, () => heard);
  }

  async function listen(): Promise<void> {
    await client.connect();
    // The process may end while this connection is open.
    client.unref?.();
    const channel = await findChannel();
    const ownChannel = `${channel}_${runtime.randomUUID().slice(0, 8)}`;
    client.on('notification', (message) => {
      if (lost.signal.aborted) return;
      if (message.channel === ownChannel) onProbe();
      else onNotification();
    });
    await client.query(`listen ${channel}`);
    await client.query(`listen ${ownChannel}`);
    await probe(ownChannel, true);
    if (!lost.signal.aborted) onProved();
    for (;;) {
      await sleep(runtime, PROBE_INTERVAL_MS, lost.signal);
      await probe(ownChannel, false);
    }
  }

  const ended = new Promise<never>((_, reject) => {
    lost.signal.addEventListener('abort', () => reject(lost.signal.reason));
  });
  try {
    await Promise.race([ended, listen()]);
  } finally {
    signal.removeEventListener('abort', stop);
    lose(undefined);
    endClient(client, runtime);
  }
}

/** How long a connection may take to end before its socket is destroyed. */
const END_MS = 1000;

/** Ends a connection. A server that does not respond would keep the socket, so the socket is destroyed in the end. */
function endClient(client: ListeningClient, runtime: Runtime): void {
  client.end().catch(() => {});
  runtime.setTimeout(() => client.connection?.stream?.destroy(), END_MS);
}

const CONSEQUENCE =
  'Until it listens, pages show changes of other instances within a second instead of at once. It tries again by itself.';

const createSilenceError = () =>
  new RampError(
    'ERR_TIMEOUT',
    `postgresListener is connected, but a notification to itself did not arrive within ${PROBE_MS} ms. A connection pooler with transaction pooling drops LISTEN: pass the connectionString of PostgreSQL itself, of the same database as that of the store. ${CONSEQUENCE}`,
  );

const explainFailure = (error: unknown): RampError => {
  if (isRampError(error)) return error;
  const { code } = Object(error) as { code?: unknown };
  if (code === '25006')
    return createConfigError(
      'postgresListener',
      `is connected to a read replica, which refuses LISTEN. Pass the connectionString of the primary. ${CONSEQUENCE}`,
      { cause: error },
    );
  return new RampError(
    'ERR_NETWORK',
    `postgresListener has no connection that listens to PostgreSQL${typeof code === 'string' ? ` (${code})` : ''}; the cause says why. ${CONSEQUENCE}`,
    { cause: error },
  );
};
