import { parse } from 'lossless-json';
import {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
  parseOrderList,
  parseQuote,
} from '../../../src/protocol/api/parseResources.js';
import { type SandboxQuirks, startSandbox } from '../../../src/sandbox/index.js';
import { createApiClient } from '../../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { wallet } from '../../support/sandbox/signQuery.js';

const now = () => 1_986_217_096_000;
const price = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
const calls = {
  currency: {},
  token: {},
  nftTokens: { buyType: 'nft' },
  price,
  bankPrice: { ...price, payment: 'BANK_CARD_TRANSFER' },
  nftPrice: { ...price, currencyAmount: '0.050', buyType: 'nft' },
  onlyOption: { ...price, fiatCurrency: 'CHF' },
  order: { startTime: '1986217000', endTime: '1986218000' },
  noOrder: { startTime: '0', endTime: '0' },
} as const;
const operations = {
  nftTokens: 'token',
  bankPrice: 'price',
  nftPrice: 'price',
  onlyOption: 'price',
  noOrder: 'order',
};

export interface RecordedResponses {
  readonly baseUrl: string;
  readonly texts: Record<keyof typeof calls, string>;
}

/** Starts a sandbox with one finished order, and returns its responses to every call of the partner API. */
export async function recordResponses(
  quirks: boolean | Partial<SandboxQuirks> = false,
): Promise<RecordedResponses> {
  const sandbox = await startSandbox({ now, stepMs: 0, quirks });
  const widget = createSandboxClient(sandbox, now);
  await widget.post('/home/orders', {
    session: await widget.open({ ext: 'ref-1' }),
    fiatCurrency: 'USD',
    currencyAmount: '100',
    cryptoCurrencyCode: 'USDT_ERC20',
    email: 'ann@shop.example',
    walletAddress: wallet,
  });
  const api = createApiClient(sandbox, now);
  const texts: Record<string, string> = {};
  for (const [name, params] of Object.entries(calls)) {
    const operation = operations[name as keyof typeof operations] ?? name;
    texts[name] = (await api.get(operation, params)).text;
  }
  await sandbox.close();
  return { baseUrl: sandbox.baseUrl, texts: texts as RecordedResponses['texts'] };
}

/** Parses responses as an API client does. Replaces IDs, hashes and the URL, because they differ between runs. */
export function parseResponses({ texts, baseUrl }: RecordedResponses) {
  const data = (name: keyof typeof calls) =>
    parseEnvelope(
      parse(
        texts[name]
          .replaceAll(baseUrl, 'http://localhost')
          .replace(/"(orderId|txHash|userId)":"\w+"/g, '"$1":"_"'),
        undefined,
        (number) => number,
      ),
    );
  return {
    currency: parseFiatCurrencies(data('currency')),
    token: parseCryptoCurrencies(data('token')),
    nftTokens: parseCryptoCurrencies(data('nftTokens')),
    price: parseQuote(data('price')),
    bankPrice: parseQuote(data('bankPrice')),
    nftPrice: parseQuote(data('nftPrice')),
    onlyOption: parseQuote(data('onlyOption')),
    order: parseOrderList(data('order')),
    noOrder: parseOrderList(data('noOrder')),
  };
}
/** Returns the `data` of a response. A JSON number becomes a string with `#` in front, to tell it from JSON strings. */
export const parseWireData = ({ texts }: RecordedResponses, name: keyof typeof calls) =>
  (parse(texts[name], undefined, (number) => `#${number}`) as { data: never }).data;
