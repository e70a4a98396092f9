import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CheckoutSelection } from '../../../src/protocol/handler/selection.js';
import { buildWidgetUrl } from '../../../src/protocol/index.js';
import {
  type CatalogCryptoCurrency,
  cryptoCurrencies,
} from '../../../src/sandbox/catalog/cryptoCurrencies.js';
import type { OnRampPageData } from '../../../src/sandbox/checkout/pageData.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import {
  chooseWallet,
  createWidgetSigner,
  type Shopper,
  type WalletFamily,
  type Wallets,
} from '../../../src/server/index.js';
import { toNodeHandler } from '../../../src/server/node.js';
import { findWalletIssues } from '../../../src/server/wallets/checkWallets.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { createTestHandler } from '../../support/server/createTestHandler.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';
import { testRuntime } from '../../support/server/testRuntime.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

const now = () => 1_986_217_096_000;
let sandbox: Sandbox;
let client: ReturnType<typeof createSandboxClient>;
let shop: Server;
beforeAll(async () => {
  sandbox = await startSandbox({ now });
  client = createSandboxClient(sandbox, now);
  shop = await startShop();
});
afterAll(async () => {
  shop.closeAllConnections();
  shop.close();
  await sandbox.close();
});

/** One mixed-case or checksummed address of each family. */
const addresses = Object.fromEntries(
  Object.entries(publishedAddresses).map(([family, all]) => [family, all[4] ?? all[0] ?? '']),
) as Record<WalletFamily, string>;
const families = Object.keys(addresses) as WalletFamily[];
const selectCoin = (code: string) => ({ cryptoCurrency: code }) as never;

/** Opens a widget URL with one cryptocurrency, and returns whether the widget keeps the wallet of the URL. */
const keepsWallet = (params: object, code: string) =>
  opensWithWallet({ ...params, cryptoCurrency: code });

/** Opens a widget URL, and returns whether the widget keeps the wallet for the coin that it selects at the start. */
async function opensWithWallet(params: object): Promise<boolean> {
  const url = buildWidgetUrl(sandbox.widgetUrl, { ...params });
  const { wallet, cryptos, crypto }: OnRampPageData = await client.data(url);
  const family = cryptos.find(({ code }) => code === crypto)?.family;
  return Boolean(wallet.families?.some((it) => it === family));
}

/** How the policy of the shop decides, given the wallets of the user. */
const policies = {
  'chooses by the coin': (selection: CheckoutSelection, wallets: Wallets) =>
    chooseWallet(selection, wallets),
  'ignores the coin': (_: CheckoutSelection, wallets: Wallets) =>
    String(Object.values(wallets).find(Boolean)),
};
type Policy = keyof typeof policies;

interface User extends Shopper {
  readonly policy: Policy;
  readonly wallets: Wallets;
}

/** Starts the backend of a shop. A header stands for the session that knows the user. */
async function startShop(): Promise<Server> {
  const handler = createTestHandler<User>(
    {
      signer: createWidgetSigner(sandbox, testRuntime({ now })),
      getShopper: ({ context }) => context,
      policy: ({ selection, context: { policy, wallets } }) => ({
        params: { walletAddress: policies[policy](selection, wallets), walletAddressLocked: '1' },
      }),
      allowedOrigins: ['https://shop.example'],
      onError: () => {},
    },
    { now },
  );
  const context = (req: IncomingMessage): User => JSON.parse(`${req.headers['x-user']}`);
  const server = createServer(toNodeHandler(handler, { context })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Each request is that of another user, because a user may send 300 requests a minute. */
let users = 0;

/** Requests a checkout over HTTP, with a selection as the page sends it. */
async function requestCheckout(
  selection: unknown,
  wallets: Wallets,
  policy: Policy = 'chooses by the coin',
) {
  const { port } = shop.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/ramp/checkouts`, {
    method: 'POST',
    headers: {
      origin: 'https://shop.example',
      'content-type': 'application/json',
      'x-user': JSON.stringify({ id: `u${users++}`, policy, wallets } satisfies User),
    },
    body: JSON.stringify({ widget: 'on-ramp', params: {}, selection }),
  });
  return { status: response.status, json: await response.json() };
}

/** The selections with which a page names one coin. */
const listSelections = ({ code, network }: CatalogCryptoCurrency) => {
  const other = code === 'BTC' ? 'ETH' : 'BTC';
  return [
    { cryptoCurrency: code },
    { defaultCurrency: code },
    { defaultCurrency: code, cryptoNetwork: network },
    // The price card with walletChains
    { cryptoCurrency: code, defaultCurrency: code, cryptoNetwork: network },
    { cryptoCurrency: `${code},${other}`, amountFixed: '100', fiatCurrency: 'EUR' },
    { cryptoCurrency: `${other},${code}`, defaultCurrency: code, amount: '100' },
  ];
};

describe.each(cryptoCurrencies)('$code', (coin) => {
  const { code, family, symbol, networkName } = coin;

  it('opens with the wallet of its family, and with no other', async () => {
    for (const own of families) {
      const selection = { cryptoCurrency: code };
      const { status, json } = await requestCheckout(selection, { [own]: addresses[own] });
      if (own === family) {
        expect(json.params.walletAddress).toBe(addresses[own]);
        expect(await keepsWallet(json.params, code)).toBe(true);
      } else {
        expect([status, json.error.code]).toEqual([403, 'ERR_POLICY_REFUSED']);
        expect(json.error.message).toMatch(
          new RegExp(`^Add an? ${networkName} wallet to buy ${symbol}\\.$`),
        );
      }
    }
  });

  it('chooses the wallet that the widget keeps, if the shopper has one of each family', async () => {
    const { json } = await requestCheckout({ cryptoCurrency: code }, addresses);
    expect(await keepsWallet(json.params, code)).toBe(true);
  });

  it('is refused by the handler with exactly those wallets that the widget leaves out', async () => {
    for (const own of families)
      for (const walletAddress of publishedAddresses[own]) {
        const params = { walletAddress };
        const issues = findWalletIssues('on-ramp', params, selectCoin(code), {});
        const kept = await keepsWallet(
          Object.fromEntries(new URL(client.signedUrl(params)).searchParams),
          code,
        );
        expect({ own, walletAddress, kept }).toEqual({
          own,
          walletAddress,
          kept: issues.length === 0,
        });
      }
  });

  it.each(Object.keys(policies) as Policy[])(
    'opens no checkout that the service would empty, however the page names it, if the policy %s',
    async (policy) => {
      for (const selection of listSelections(coin))
        for (const own of families) {
          const wallets = { [own]: addresses[own] };
          const { status, json } = await requestCheckout(selection, wallets, policy);
          const kept = status === 201 && (await opensWithWallet({ ...json.params, ...selection }));
          expect({ selection, own, status, kept }).toEqual({
            selection,
            own,
            status: own === family ? 201 : policy === 'ignores the coin' ? 400 : 403,
            kept: own === family,
          });
        }
    },
  );

  it('cannot be paid with a locked wallet of another family', async () => {
    for (const own of families.filter((it) => it !== family)) {
      const params = { walletAddress: addresses[own], walletAddressLocked: '1' };
      const { status, body } = await client.post('/home/orders', {
        session: await client.open(params),
        fiatCurrency: 'EUR',
        currencyAmount: '100',
        cryptoCurrencyCode: code,
        email: 'ann@shop.example',
      });
      expect([status, body.error.issues]).toEqual([
        400,
        [{ param: 'walletAddress', message: `is not an address on ${networkName}` }],
      ]);
    }
  });
});

it.each(Object.keys(policies) as Policy[])(
  'a page that names no coin gets the wallet for USDT_ERC20 from chooseWallet, and any wallet if the policy %s',
  async (policy) => {
    for (const own of families) {
      const wallets = { [own]: addresses[own] };
      const { status, json } = await requestCheckout({}, wallets, policy);
      const kept = status === 201 && (await opensWithWallet(json.params));
      expect({ own, status, kept }).toEqual({
        own,
        status: own === 'evm' || policy === 'ignores the coin' ? 201 : 403,
        // The widget starts with USDT_ERC20, so it asks for a wallet in place of one of another chain.
        kept: own === 'evm',
      });
    }
  },
);

/** Replaces a character in the middle, so that the address keeps its form. */
const misspell = (address: string) => {
  const at = Math.floor(address.length / 2);
  return address.slice(0, at) + (address[at] === 'a' ? 'c' : 'a') + address.slice(at + 1);
};
const [BTC, ETH, TRX] = ['BTC', 'ETH', 'TRX'].map((cryptoCurrency) => ({ cryptoCurrency }));
const cannotDeliver = 'This shop cannot deliver the selected coin. Choose another one.';

describe('a request over HTTP', () => {
  it.each([
    [
      'a Bitcoin wallet',
      BTC,
      'bitcoin',
      /^has a wrong checksum, .+ copy the Bitcoin address again$/,
    ],
    ['an EVM wallet', ETH, 'evm', /^has upper and lower case that does not match its checksum/],
    ['a Tron wallet', TRX, 'tron', /^has a wrong checksum, .+ copy the Tron address again$/],
  ] as const)('is refused if one character of %s is wrong', async (_, selection, family, words) => {
    const wallets = { [family]: misspell(addresses[family]) };
    const { status, json } = await requestCheckout(selection, wallets);
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues).toEqual([
      { param: 'walletAddress', message: expect.stringMatching(words) },
    ]);
  });

  it.each([
    ['an unknown network', { cryptoNetwork: 'lightning' }],
    ['a test network', { cryptoCurrency: 'ETH', cryptoNetwork: 'ethereum_sepolia' }],
    ['an unknown coin', { cryptoCurrency: 'WIF' }],
    ['an unknown chain in the code', { cryptoCurrency: 'USDT_SPL' }],
    ['a coin in another case', { defaultCurrency: 'btc' }],
  ])('is refused in words if the page selected %s', async (_, selection) => {
    const { status, json } = await requestCheckout(selection, addresses);
    expect([status, json.error]).toEqual([
      403,
      { code: 'ERR_POLICY_REFUSED', message: cannotDeliver },
    ]);
  });

  it.each([
    ['a number', { amount: 100 }, 'selection.amount'],
    ['a list', { cryptoCurrency: ['BTC'] }, 'selection.cryptoCurrency'],
    ['an object', { cryptoNetwork: { $ne: '' } }, 'selection.cryptoNetwork'],
    ['an inherited name', { defaultCurrency: 'constructor' }, 'selection.defaultCurrency'],
    ['a tag', { defaultCurrency: '<b>BTC</b>' }, 'selection.defaultCurrency'],
    ['10,000 characters', { cryptoNetwork: 'n'.repeat(10_000) }, 'selection.cryptoNetwork'],
    ['text', 'BTC', 'selection'],
  ])('is refused in words if its selection is forged and has %s', async (_, selection, param) => {
    const { status, json } = await requestCheckout(selection, addresses);
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues).toEqual([
      { param, message: expect.stringMatching(/^(?:must be|is longer|has a name) /) },
    ]);
  });

  it.each([
    ['says that another wallet is signed', { cryptoCurrency: 'BTC', walletAddress: addresses.evm }],
    ['names two chains', { cryptoCurrency: 'BTC,ETH', defaultCurrency: 'BTC,ETH' }],
  ])('opens with no wallet of another chain if its selection %s', async (_, selection) => {
    const { json } = await requestCheckout(selection, addresses);
    expect([undefined, addresses.bitcoin]).toContain(json.params?.walletAddress);
  });
});

it('leaves out a wallet with one wrong character', async () => {
  const params = { walletAddress: addresses.bitcoin.replace(/.$/, 'q') };
  const url = new URL(client.signedUrl(params));
  expect(await keepsWallet(Object.fromEntries(url.searchParams), 'BTC')).toBe(false);
});

it('names only networks that chooseWallet knows', () => {
  for (const { network, family } of cryptoCurrencies)
    expect(chooseWallet({ cryptoNetwork: network } as never, addresses)).toBe(addresses[family]);
});
