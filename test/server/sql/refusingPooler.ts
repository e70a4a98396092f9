import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Creates an ErrorResponse of the PostgreSQL protocol. Each of its fields is a letter and a NUL-terminated text, and
 * another NUL ends the fields.
 */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

const UNSUPPORTED = 'unsupported startup parameter: statement_timeout';

/** Starts a proxy to PostgreSQL that, like PgBouncer, refuses connections with `statement_timeout` at startup. */
export async function refusingPooler(target: string, message = UNSUPPORTED) {
  const url = new URL(target);
  const there = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}));
    client.once('data', (startup: Buffer) => {
      if (startup.includes('statement_timeout')) {
        client.end(errorResponse('08P01', message));
        return;
      }
      const onward = connect(there).on('error', () => {});
      sockets.add(onward);
      onward.write(startup);
      client.pipe(onward).pipe(client);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.hostname = '127.0.0.1';
  url.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
