import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database that can be cut off, as when its server has stopped. */
export interface TcpProxySwitch {
  /** The address by this way. */
  readonly url: string;
  /** Ends every connection, and refuses new ones. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export async function tcpProxySwitch(target: string): Promise<TcpProxySwitch> {
  const url = new URL(target);
  const there = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((socket) => {
      const onward = connect(there);
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        sockets.add(one);
        one
          .on('error', () => {})
          .once('close', () => {
            sockets.delete(one);
            other.destroy();
          });
        one.pipe(other);
      }
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  };
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  url.hostname = '127.0.0.1';
  url.port = `${port}`;
  return {
    url: url.href,
    async stop() {
      const closed = server && once(server, 'close');
      server?.close();
      server = undefined;
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
    async restart() {
      server ??= await listen(port);
    },
  };
}
