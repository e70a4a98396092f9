// Measures the CPU time that a server uses for each POST /checkouts. The baselines are an empty Express route and a
// route that only parses JSON. This process sends the requests to a server process, and each round requests all routes.
// Run it after `npm run build`: node tools/bench/openCheckout.bench.mjs [REQUESTS [ROUNDS]]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { privateKey } from './startService.mjs';

const ORIGIN = 'https://shop.example';
const BODY = JSON.stringify({
  widget: 'on-ramp',
  params: { fiatCurrency: 'USD', amount: '100' },
});
const ROUTES = { empty: '/empty', json: '/json', checkout: '/api/ramp/checkouts' };
const CONNECTIONS = 16;
/** The limit for a checkout, as a multiple of the CPU time of the empty route. */
const LIMIT = 2.4;

if (process.argv[2] === 'server') await serve();
else await measure(Number(process.argv[2] ?? 3000), Number(process.argv[3] ?? 5));

/** Runs the server. Answers each message with the microseconds of CPU time that this process has used. */
async function serve() {
  const { default: express } = await import('express');
  const { createRamp, memoryOrderStore } = await import('@partner-ramp/react/server');
  const { toExpress } = await import('@partner-ramp/react/server/express');
  const { handler } = createRamp({
    apiUrl: 'http://127.0.0.1:9',
    partnerId: 'p1',
    secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D',
    apiPrivateKey: privateKey,
    serverless: { syncSecret: 's'.repeat(32) },
    deliver() {},
    review() {},
    policy: ({ context, proposal }) => ({
      params: { ...proposal, walletAddress: context.wallet },
      expectedAmount: '100',
      expectedFiatCurrency: 'USD',
    }),
    allowedOrigins: [ORIGIN],
    getShopper: ({ context }) => ({ id: context.userId }),
    store: memoryOrderStore(),
  });
  let users = 0;
  // No user sends all requests, because a user may send 300 a minute.
  const context = () => ({
    userId: `u${users++ >> 8}`,
    wallet: '0xabc0000000000000000000000000000000000001',
  });
  const app = express();
  app.use('/api/ramp', toExpress(handler, { context }));
  app.post(ROUTES.empty, (_, response) => response.status(201).json({}));
  app.post(ROUTES.json, express.json(), (_, response) => response.status(201).json({}));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  });
  process.on('disconnect', () => process.exit());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send(server.address().port);
}

async function measure(requests, rounds) {
  const server = fork(fileURLToPath(import.meta.url), ['server'], {
    execArgv: process.env.CPU_PROFILE
      ? ['--cpu-prof', '--cpu-prof-dir', process.env.CPU_PROFILE]
      : [],
  });
  const [port] = await once(server, 'message');
  const readCpu = async () => {
    server.send('cpu');
    return (await once(server, 'message'))[0];
  };
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  /** Sends `count` requests, and returns how many microseconds of CPU time the server used for each. */
  const load = async (path, count) => {
    const before = await readCpu();
    let left = count;
    const client = async () => {
      while (left-- > 0) await post(agent, port, path);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    return ((await readCpu()) - before) / count;
  };

  // Warm up first, because compiling JavaScript uses more CPU time than thousands of requests.
  for (const path of Object.values(ROUTES)) await load(path, 3 * requests);
  const micros = { empty: [], json: [], checkout: [] };
  for (let round = 0; round < rounds; round++)
    for (const [name, path] of Object.entries(ROUTES))
      micros[name].push(await load(path, requests));
  agent.destroy();
  server.disconnect();

  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const base = median(micros.empty);
  for (const [name, values] of Object.entries(micros))
    console.log(
      `${name}: median ${median(values).toFixed(0)} µs of CPU a request, ${(median(values) / base).toFixed(2)} x empty (rounds ${values.map((value) => value.toFixed(0)).join(' ')})`,
    );
  const load1 = loadavg()[0].toFixed(1);
  console.log(
    `${requests} requests a round, load average of the machine ${load1}, limit ${LIMIT} x`,
  );
  if (median(micros.checkout) > LIMIT * base) process.exitCode = 1;
}

function post(agent, port, path) {
  return new Promise((resolve, reject) => {
    const headers = {
      origin: ORIGIN,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(BODY),
    };
    const sent = request(
      { agent, port, host: '127.0.0.1', path, method: 'POST', headers },
      (response) => {
        if (response.statusCode !== 201)
          reject(new Error(`${path} returned ${response.statusCode}.`));
        response.on('error', reject).on('end', resolve).resume();
      },
    );
    sent.on('error', reject).end(BODY);
  });
}
