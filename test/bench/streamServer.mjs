// The server process that streams.bench.mjs measures. It serves the event streams of the handler, or of a minimal
// node:http server. On the message `memory`, it reports its memory use. On the message `change`, it finishes the order
// of one checkout or of all.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import {
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
} from '@partner-ramp/react/server';
import { singleNames } from './singleNames.mjs';

const [kind, count] = [process.argv[2], Number(process.argv[3])];
const now = () => Math.floor(Date.now() / 1000);
const referenceOf = (name) => `checkout-${name}`;

async function ours() {
  const store = memoryOrderStore();
  for (const name of [...Array(count).keys(), 'shared', ...singleNames(count)])
    await store.saveIntent({
      reference: referenceOf(name),
      widget: 'on-ramp',
      subject: 'u1',
      params: {},
      createdAt: now(),
      expiresAt: now() + 86_400,
    });
  const handler = createRampHandler({
    signer: createWidgetSigner({ partnerId: 'p1', secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D' }),
    policy: () => ({ params: {}, subject: 'u1' }),
    allowedOrigins: ['https://shop.example'],
    store,
    getSubject: 'anyone',
    maxStreams: { perSubject: count, total: count },
  });
  const orderOf = (name) => ({
    orderId: `order-${name}`,
    orderStatus: 3,
    kind: 'on-ramp',
    state: 'finished',
    finishTime: now(),
    fiatCurrency: 'USD',
    currencyAmount: '100.00',
    ext: referenceOf(name),
    nftDetails: [],
  });
  return {
    server: createAdaptorServer({ fetch: (request) => handler(request) }),
    change: (which) =>
      store.recordOrders(
        (which === 'each' ? [...Array(count).keys()] : [which]).map(orderOf),
        now(),
      ),
  };
}

function bare() {
  const open = new Map();
  const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
  const text = (state) =>
    `id: 1\nevent: checkout\ndata: ${JSON.stringify({ reference: 'checkout-0', widget: 'on-ramp', progress: state, orders: [] })}\n\n`;
  const server = createServer((request, response) => {
    response.writeHead(200, headers);
    response.write(text('waiting'));
    open.set(response, request.url);
    request.once('close', () => open.delete(response));
  });
  return {
    server,
    change: async (which) => {
      for (const [response, url] of open)
        if (which === 'each' || url.includes(`/${referenceOf(which)}/`))
          response.write(text('finished'));
    },
  };
}

const { server, change } = kind === 'ours' ? await ours() : bare();
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(server, 'listening');

process.on('message', async ({ request, which }) => {
  if (request === 'memory') {
    for (let i = 0; i < 4; i++) globalThis.gc();
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    process.send({ rss, heapUsed, external, arrayBuffers });
  } else {
    const before = Date.now();
    await change(which);
    process.send({ before, committed: Date.now() });
  }
});
process.on('disconnect', () => process.exit());
process.send({ port: server.address().port });
