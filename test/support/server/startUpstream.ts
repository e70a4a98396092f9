import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import type { PartnerApiOptions } from '../../../src/server/index.js';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import { createPartnerApi } from '../../../src/server/partner-api/createPartnerApi.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };
import { testRuntime } from './testRuntime.js';

type UpstreamResponder = (request: IncomingMessage, response: ServerResponse) => void;

/** A fake of the service on loopback. The test sets its responses. */
export interface Upstream {
  readonly baseUrl: string;
  readonly requests: readonly IncomingMessage[];
  /** Sets the responders of the next requests, one each. The last one also responds to all further requests. */
  respondWith(...responders: UpstreamResponder[]): void;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const requests: IncomingMessage[] = [];
  let responders: UpstreamResponder[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const respond = responders.length > 1 ? responders.shift() : responders[0];
    respond?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith(...next) {
      responders = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts an upstream, which all tests of a file share. */
export function setUpUpstream(): Upstream {
  const shared = {} as Upstream;
  beforeAll(async () => {
    Object.assign(shared, await startUpstream());
  });
  afterAll(() => shared.close());
  return shared;
}

/** Responds with `text` as the body, without an envelope. */
export const respondWithBody =
  (text: string | Buffer, status = 200, headers: Record<string, string> = {}): UpstreamResponder =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
  };

/** Responds with the envelope of a success. `data` is the JSON text of the field `data`. */
export const respondWithData = (data: string): UpstreamResponder =>
  respondWithBody(`{"code":10000,"msg":"success","data":${data}}`);

export const destroyConnection: UpstreamResponder = (request) => {
  request.socket.destroy();
};

export const { apiPrivateKey, apiPublicKey } = vectors.keys;

/** Creates an API client of `baseUrl` with a short backoff, so that tests with retries are fast. */
export const createTestApi = (
  { baseUrl }: Pick<Upstream, 'baseUrl'>,
  options: Partial<PartnerApiOptions> = {},
  parts: Partial<Runtime> = {},
) =>
  createPartnerApi(
    {
      baseUrl,
      partnerId: 'p1',
      privateKey: apiPrivateKey,
      onError: () => {},
      ...options,
    },
    testRuntime({ random: () => -0.49, ...parts }),
  );

export const quoteQuery = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
} as const;

export const quoteData =
  '{"fiatCurrency":"USD","currencyAmount":100.00,"cryptoCurrency":"USDT","network":"ethereum_mainnet","cryptoCurrencyCode":"USDT_ERC20","cryptoCurrencyAmount":93.09000000,"cryptoCurrencyUnitPrice":1.02,"gasFee":0.1,"platformFee":0.2,"totalFee":0.3,"paymentOptions":{"name":"CREDIT_DEBIT_CARD"}}';

/** The body of a successful response to {@link quoteQuery}. */
export const envelope = `{"code":10000,"msg":"success","data":${quoteData}}`;

/** Creates a matcher for a RampError with this code, whose message contains `words`. */
export const expectRampError = (code: string, words = '') =>
  expect.objectContaining({ code, name: 'RampError', message: expect.stringContaining(words) });

/** Returns how many requests `run` sends. Ignores whether `run` rejects. */
export async function countRequests(
  { requests }: Upstream,
  run: () => Promise<unknown>,
): Promise<number> {
  const before = requests.length;
  await run().catch(() => {});
  return requests.length - before;
}
