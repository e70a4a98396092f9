// Stands for Neon's WebSocket proxy: `node neonProxy.mjs 5000` pipes each WebSocket to the PostgreSQL of `?address=`.
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createWebSocketStream, WebSocketServer } from 'ws';

const server = createServer((_, response) => response.end('ready'));
new WebSocketServer({ server }).on('connection', (socket, { url }) => {
  const [host, port] = new URL(url, 'ws://proxy').searchParams.get('address').split(':');
  const stream = createWebSocketStream(socket);
  const database = connect(Number(port), host);
  for (const each of [stream, database]) each.on('error', () => {});
  stream.pipe(database).pipe(stream);
});
server.listen(Number(process.argv[2]), '127.0.0.1');
