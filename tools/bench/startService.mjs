// A service on loopback whose responses are delayed, and the private key of a partner.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

export const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/**
 * @param respond - Gets the URL of a request. Returns the `data` of the response, its delay `ms`, and the HTTP
 * `status`, by default 200.
 */
export async function startService(respond) {
  const server = createServer(({ url }, response) => {
    const { data, ms, status = 200 } = respond(new URL(url, 'http://service'));
    setTimeout(() => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ code: 10000, msg: 'success', data }));
    }, ms);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const MAX_PAGE_SIZE = 20;

/** Returns one page of the orders: the range, the page and its size are in the query. A page has at most 20 orders. */
export function pageOf(orders, { searchParams }) {
  const [from, to, page, requestedSize] = ['startTime', 'endTime', 'page', 'size'].map((name) =>
    Number(searchParams.get(name)),
  );
  const size = Math.min(requestedSize, MAX_PAGE_SIZE);
  const found = orders.filter(({ finishTime }) => finishTime >= from && finishTime <= to);
  const list = found.slice((page - 1) * size, page * size);
  return { page, size, totalCount: found.length, list };
}

export const createWireOrder = (orderId, finishTime) => ({
  orderId,
  orderStatus: 3,
  finishTime,
  fiatCurrency: 'USD',
  currencyAmount: 100,
  cryptoCurrencyAmount: '97.09000000',
  walletAddress: '0xabc0000000000000000000000000000000000001',
  ext: '',
});
