// Measures how long a liveness probe waits while thousands of event streams connect at once, as they do after an
// instance has restarted. Measures the handler on SQLite and, if DATABASE_URL is set, on PostgreSQL. The baseline is
// bare node:http.
// node test/bench/streamHerd.mjs [COUNT [ROUNDS]]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [role, ...args] = process.argv.slice(2);
/** The references differ between rounds, because all rounds use the same PostgreSQL database. */
const referenceOf = (round, i) => `checkout-${round}-${String(i).padStart(16, '0')}`;

/** The longest time that the liveness probe may wait for a response. */
const LIMIT_MS = 1_000;

async function openStore(kind, folder) {
  const { Kysely, PostgresDialect } = await import('kysely');
  const { postgresPool, sqliteDialect, sqlOrderStore } = await import(
    '@partner-ramp/react/server/sql'
  );
  if (kind === 'sqlite') {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const dialect = sqliteDialect(new DatabaseSync(join(folder, 'herd.db')));
    return sqlOrderStore(new Kysely({ dialect }));
  }
  const { default: pg } = await import('pg');
  const connectionString = process.env.DATABASE_URL;
  const pool = postgresPool({ Pool: pg.Pool, connectionString, onError() {} });
  return sqlOrderStore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
}

async function createListener(kind, round, count, folder) {
  if (kind === 'bare')
    return (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('id: 1\nevent: checkout\ndata: {}\n\n');
    };
  const { toNodeHandler } = await import('@partner-ramp/react/server/node');
  const { createStreamHandler } = await import('./createStreamHandler.mjs');
  const references = Array.from({ length: count }, (_, i) => referenceOf(round, i));
  return toNodeHandler(await createStreamHandler(await openStore(kind, folder), references));
}

async function serve(kind, round, count, folder) {
  const listener = await createListener(kind, round, Number(count), folder);
  const server = createServer((request, response) =>
    request.url === '/health' ? response.end('{"ok":true}') : listener(request, response),
  );
  await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }), 'listening');
  process.send({ port: server.address().port });
}

/** Connects all streams at once. Returns the number of streams for each response status or connection error. */
async function load(port, round, count) {
  const counts = {};
  const open = (i) =>
    new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      const settle = (name) => {
        counts[name] = (counts[name] ?? 0) + 1;
        resolve();
      };
      socket.once('error', ({ code }) => settle(code));
      let text = '';
      socket.on('data', function read(data) {
        text += data;
        const status = text.match(/^HTTP\/1\.1 (\d+)/)?.[1];
        if (status && (status !== '200' || text.includes('data:'))) {
          socket.off('data', read).resume();
          settle(status);
        }
      });
      socket.write(
        `GET /api/ramp/checkouts/${referenceOf(round, i)}/events HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
    });
  process.send('ready');
  await once(process, 'message');
  const begun = performance.now();
  await Promise.all(Array.from({ length: Number(count) }, (_, i) => open(i)));
  process.send({ counts, ms: Math.round(performance.now() - begun) });
}

/**
 * Requests `/health` in a loop until the process is killed, each time over a new connection. On a message, it reports
 * the slowest response time in milliseconds.
 */
async function probe(port) {
  let slowest = 0;
  let count = 0;
  process.once('message', () => process.send({ slowest: Math.round(slowest), count }));
  process.send('ready');
  for (;;) {
    const begun = performance.now();
    const [response] = await once(
      get({ port, host: '127.0.0.1', path: '/health', agent: false }),
      'response',
    );
    await once(response.resume(), 'end');
    slowest = Math.max(slowest, performance.now() - begun);
    count++;
    await wait(20);
  }
}

async function measure(kind, round, count) {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-herd-'));
  const start = async (...args) => {
    const child = fork(process.argv[1], args);
    return { child, first: (await once(child, 'message'))[0] };
  };
  const { child: server, first } = await start('serve', kind, round, count, folder);
  const { child: prober } = await start('probe', first.port);
  const { child: loader } = await start('load', first.port, round, count);
  await wait(500);
  loader.send('go');
  const [{ counts, ms }] = await once(loader, 'message');
  await wait(500);
  prober.send('stop');
  const [{ slowest, count: probes }] = await once(prober, 'message');
  for (const child of [loader, prober, server]) child.kill('SIGKILL');
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
  return { slowest, probes, counts, ms };
}

const roles = { serve, load, probe };
if (Object.hasOwn(roles, role ?? '')) await roles[role](...args);
else {
  const count = Number(role ?? 5_000);
  const kinds = ['bare', 'sqlite', ...(process.env.DATABASE_URL ? ['postgres'] : [])];
  for (let round = 0; round < Number(args[0] ?? 1); round++)
    for (const kind of kinds) {
      const { slowest, probes, counts, ms } = await measure(kind, round, count);
      console.log(
        `${kind}: ${count} streams in ${ms} ms, statuses ${JSON.stringify(counts)}; slowest of ${probes} probes ${slowest} ms`,
      );
      if (kind !== 'bare' && slowest > LIMIT_MS) process.exitCode = 1;
    }
}
