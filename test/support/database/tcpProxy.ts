import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a fault does to the connection whose statement it meets, or to those that are open. */
export type NetworkFault =
  /** The statement does not reach the server. The connection stays open and silent. */
  | 'lose-request'
  /** The server's response, and all that follows, does not reach the client. */
  | 'lose-response'
  /** Both sides are reset before the statement reaches the server. */
  | 'cut-request'
  /** The server receives the statement, then both sides are reset. */
  | 'cut-response'
  /** The statement is held back for longer than the client waits, and is then delivered. */
  | 'delay-request'
  /** The response is held back for longer than the client waits, and is then delivered. */
  | 'delay-response';

export interface TcpProxy {
  /** The address of the target by way of the proxy. */
  readonly url: string;
  /** Connections made so far. */
  readonly connectionCount: number;
  /** Statements seen since `failAt` was called last, or since the start. */
  readonly statementCount: number;
  /** Applies a fault to the statement with this number, from 1, counted over all connections from now on. */
  failAt(statement: number, fault: NetworkFault): void;
  /** Open connections fall silent in both directions; new ones work. Returns how many. */
  freeze(): number;
  /** What was held back is delivered, and frozen connections work again. */
  resume(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes that are held back while a direction is frozen. */
  held: { readonly to: Socket; readonly bytes: Buffer }[];
  isRequestFrozen: boolean;
  isResponseFrozen: boolean;
}

/** A TCP proxy in front of PostgreSQL that can lose, delay and cut what passes, statement by statement. */
export async function tcpProxy(target: string, delayMs = 2000): Promise<TcpProxy> {
  const url = new URL(target);
  const there = { host: url.hostname, port: Number(url.port) };
  const pairs = new Set<Pair>();
  let made = 0;
  let statements = 0;
  let planned: { readonly at: number; readonly fault: NetworkFault } | undefined;

  const resume = (pair: Pair) => {
    pair.isRequestFrozen = false;
    pair.isResponseFrozen = false;
    for (const { to, bytes } of pair.held) if (!to.destroyed) to.write(bytes);
    pair.held = [];
    // One side may have gone meanwhile.
    if (pair.client.destroyed) pair.server.destroy();
    if (pair.server.destroyed) pair.client.end();
  };
  const cut = ({ client, server }: Pair) => {
    client.resetAndDestroy();
    server.destroy();
  };

  function onStatement(pair: Pair): void {
    statements++;
    if (planned?.at !== statements) return;
    const { fault } = planned;
    planned = undefined;
    if (fault === 'cut-request') cut(pair);
    if (/request$/.test(fault)) pair.isRequestFrozen = true;
    pair.isResponseFrozen = true;
    if (fault === 'cut-response') setTimeout(cut, 50, pair);
    if (/^delay/.test(fault)) setTimeout(resume, delayMs, pair);
  }

  const listener = createServer((client) => {
    made++;
    const server = connect(there);
    const pair: Pair = {
      client,
      server,
      held: [],
      isRequestFrozen: false,
      isResponseFrozen: false,
    };
    pairs.add(pair);
    const countStatements = createStatementCounter(() => onStatement(pair));
    client.on('data', (bytes: Buffer) => {
      countStatements(bytes);
      if (pair.isRequestFrozen) pair.held.push({ to: server, bytes });
      else server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (pair.isResponseFrozen) pair.held.push({ to: client, bytes });
      else client.write(bytes);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one
        .on('error', () => {})
        .once('close', () => {
          // A frozen network does not pass on that one side has gone.
          if (pair.isRequestFrozen || pair.isResponseFrozen) return;
          pairs.delete(pair);
          other.destroy();
        });
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  url.hostname = '127.0.0.1';
  url.port = `${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get connectionCount() {
      return made;
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
      for (const pair of open)
        Object.assign(pair, { isRequestFrozen: true, isResponseFrozen: true });
      return open.length;
    },
    resume() {
      for (const pair of pairs) resume(pair);
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}

const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/** Calls back for each statement in a client's bytes: a simple query, or a Sync of the extended protocol. */
function createStatementCounter(onStatement: () => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // The first message has no type.
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
