import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What the proxy does with one statement, see `failAt`. Only the connection of this statement is affected. */
export type NetworkFault =
  /** The statement does not reach the server. The connection stays open, but transfers nothing any more. */
  | 'lose-request'
  /** The server receives the statement. Its response and all later responses do not reach the client. */
  | 'lose-response'
  /** The statement does not reach the server. The client's connection is reset, and the server's is closed. */
  | 'cut-request'
  /** The server receives the statement. Then the client's connection is reset without the response. */
  | 'cut-response'
  /** The server receives the statement only after `delayMs`, which should be longer than the client waits. */
  | 'delay-request'
  /** The client receives the response only after `delayMs`, which should be longer than the client waits. */
  | 'delay-response';

export interface TcpProxy {
  /** The URL with which a client connects to the target through the proxy. */
  readonly url: string;
  /** The number of connections that clients have opened since the start, including those that are closed. */
  readonly connectionCount: number;
  /** The number of statements since the last call of `failAt`. Before the first call, since the start. */
  readonly statementCount: number;
  /** Applies the fault to the nth statement from now on. 1 is the next one. Statements of all connections count. */
  failAt(statement: number, fault: NetworkFault): void;
  /** Holds back all traffic of the open connections, and returns their number. New connections work. */
  freeze(): number;
  /** Delivers the traffic that was held back, and ends the freeze. */
  resume(): void;
  /** Resets every connection and refuses new ones, as if the target had stopped. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  restart(): Promise<void>;
  /** Closes every connection without a reset, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a TCP proxy for PostgreSQL that can lose, delay and reset the traffic of single statements.
 *
 * @param delayMs - The delay of the faults `delay-request` and `delay-response`.
 */
export async function tcpProxy(target: string, delayMs = 2000): Promise<TcpProxy> {
  const url = new URL(target);
  const upstream = { host: url.hostname, port: Number(url.port) };
  const pairs = new Set<SocketPair>();
  let connections = 0;
  let statements = 0;
  let planned: { readonly at: number; readonly fault: NetworkFault } | undefined;

  function onStatement(pair: SocketPair): void {
    statements++;
    if (planned?.at !== statements) return;
    const { fault } = planned;
    planned = undefined;
    pair.applyFault(fault, delayMs);
  }

  const listen = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      connections++;
      const pair: SocketPair = createSocketPair(client, connect(upstream), {
        onStatement: () => onStatement(pair),
        onClose: () => pairs.delete(pair),
      });
      pairs.add(pair);
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  };
  let listener: Server | undefined = await listen(0);
  const { port } = listener.address() as AddressInfo;
  url.hostname = '127.0.0.1';
  url.port = `${port}`;

  async function stopListening(endPair: (pair: SocketPair) => void): Promise<void> {
    const closed = listener && once(listener, 'close');
    listener?.close();
    listener = undefined;
    pairs.forEach(endPair);
    await closed;
  }

  return {
    url: url.href,
    get connectionCount() {
      return connections;
    },
    get statementCount() {
      return statements;
    },
    failAt(statement, fault) {
      statements = 0;
      planned = { at: statement, fault };
    },
    freeze() {
      const open = [...pairs].filter(({ client }) => !client.destroyed);
      for (const pair of open) pair.freeze();
      return open.length;
    },
    resume() {
      for (const pair of pairs) pair.resume();
    },
    stop: () => stopListening((pair) => pair.reset()),
    async restart() {
      listener ??= await listen(port);
    },
    close: () => stopListening((pair) => pair.destroy()),
  };
}

interface SocketPair {
  readonly client: Socket;
  freeze(): void;
  resume(): void;
  applyFault(fault: NetworkFault, delayMs: number): void;
  reset(): void;
  destroy(): void;
}

interface PairEvents {
  readonly onStatement: () => void;
  readonly onClose: () => void;
}

/** Forwards the bytes between two sockets, unless a direction is frozen. */
function createSocketPair(client: Socket, server: Socket, events: PairEvents): SocketPair {
  let isRequestFrozen = false;
  let isResponseFrozen = false;
  /** The bytes that were held back while their direction was frozen, in the order of their arrival. */
  let held: { readonly to: Socket; readonly bytes: Buffer }[] = [];

  const pair: SocketPair = {
    client,
    freeze() {
      isRequestFrozen = true;
      isResponseFrozen = true;
    },
    resume() {
      isRequestFrozen = false;
      isResponseFrozen = false;
      for (const { to, bytes } of held) if (!to.destroyed) to.write(bytes);
      held = [];
      // If one side closed during the freeze, the other side is still open, so close it now.
      if (client.destroyed) server.destroy();
      if (server.destroyed) client.end();
    },
    applyFault(fault, delayMs) {
      if (fault === 'cut-request') pair.reset();
      if (/request$/.test(fault)) isRequestFrozen = true;
      isResponseFrozen = true;
      if (fault === 'cut-response') setTimeout(pair.reset, 50);
      if (/^delay/.test(fault)) setTimeout(pair.resume, delayMs);
    },
    reset() {
      client.resetAndDestroy();
      server.destroy();
    },
    destroy() {
      client.destroy();
      server.destroy();
    },
  };

  const countStatements = createStatementCounter(events.onStatement);
  client.on('data', (bytes: Buffer) => {
    countStatements(bytes);
    if (isRequestFrozen) held.push({ to: server, bytes });
    else server.write(bytes);
  });
  server.on('data', (bytes: Buffer) => {
    if (isResponseFrozen) held.push({ to: client, bytes });
    else client.write(bytes);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one
      .on('error', () => {})
      .once('close', () => {
        // During a freeze the other side must not learn that this side has closed.
        if (isRequestFrozen || isResponseFrozen) return;
        events.onClose();
        other.destroy();
      });
  return pair;
}

const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/**
 * Returns a parser for the bytes of a client, which calls `onStatement` for each statement: for a simple query, or for
 * a Sync message of the extended query protocol.
 */
function createStatementCounter(onStatement: () => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // Unlike later messages, the startup message does not begin with a type byte.
      const head = hasStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      const type = hasStarted ? rest[0] : undefined;
      rest = rest.subarray(length);
      hasStarted = true;
      if (type === QUERY || type === SYNC) onStatement();
    }
  };
}
