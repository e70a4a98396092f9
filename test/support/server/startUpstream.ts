import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import type { PartnerApiOptions } from '../../../src/server/index.js';
import { createPartnerApiWith } from '../../../src/server/partner-api/createPartnerApiWith.js';
import type { PartnerApiInternals } from '../../../src/server/partner-api/parseApiOptions.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

type UpstreamResponder = (request: IncomingMessage, response: ServerResponse) => void;

/** A service on loopback that answers as it is told, one answer for each request. */
export interface Upstream {
  readonly baseUrl: string;
  readonly requests: readonly IncomingMessage[];
  /** What answers from now on; of several each serves one request, the last all that follow. */
  respondWith(...answers: UpstreamResponder[]): void;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const requests: IncomingMessage[] = [];
  let answers: UpstreamResponder[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith(...next) {
      answers = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One upstream for the tests of a file. */
export function setUpUpstream(): Upstream {
  const shared = {} as Upstream;
  beforeAll(async () => {
    Object.assign(shared, await startUpstream());
  });
  afterAll(() => shared.close());
  return shared;
}

/** Answers a body as it is. */
export const respondWithBody =
  (text: string | Buffer, status = 200, headers: Record<string, string> = {}): UpstreamResponder =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
  };

/** Answers success with this `data`, as JSON text. */
export const respondWithData = (data: string): UpstreamResponder =>
  respondWithBody(`{"code":10000,"msg":"success","data":${data}}`);

/** Ends the connection without an answer. */
export const destroyConnection: UpstreamResponder = (request) => {
  request.socket.destroy();
};

export const { apiPrivateKey, apiPublicKey } = vectors.keys;

/** A client that waits for nothing longer than a test should. */
export const createTestApi = (
  { baseUrl }: Pick<Upstream, 'baseUrl'>,
  options: Partial<PartnerApiOptions> = {},
  internals: PartnerApiInternals = {},
) =>
  createPartnerApiWith(
    {
      baseUrl,
      partnerId: 'p1',
      privateKey: apiPrivateKey,
      onClockSkew: () => {},
      ...options,
    },
    { random: () => -0.49, ...internals },
  );

export const quoteQuery = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
} as const;

export const quoteData =
  '{"fiatCurrency":"USD","currencyAmount":100.00,"cryptoCurrency":"USDT","network":"ethereum_mainnet","cryptoCurrencyCode":"USDT_ERC20","cryptoCurrencyAmount":93.09000000,"cryptoCurrencyUnitPrice":1.02,"gasFee":0.1,"platformFee":0.2,"totalFee":0.3,"paymentOptions":{"name":"CREDIT_DEBIT_CARD"}}';

/** The whole answer to {@link quoteQuery}. */
export const envelope = `{"code":10000,"msg":"success","data":${quoteData}}`;

/** A RampError of this code that says these words. */
export const expectRampError = (code: string, words = '') =>
  expect.objectContaining({ code, name: 'RampError', message: expect.stringContaining(words) });

/** How many requests `ask` makes, however it ends. */
export async function countRequests(
  { requests }: Upstream,
  ask: () => Promise<unknown>,
): Promise<number> {
  const before = requests.length;
  await ask().catch(() => {});
  return requests.length - before;
}
