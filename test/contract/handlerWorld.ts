import { createOpenApi } from '../../src/contract/createOpenApi.js';
import { RampError, type RampErrorCode } from '../../src/protocol/errors/RampError.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { createRampHandler } from '../../src/server/handler/createRampHandler.js';
import type { RampHandlerOptions } from '../../src/server/handler/options.js';
import {
  type CheckoutGrant,
  createPartnerApi,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
  type OrderStore,
  type PartnerApi,
} from '../../src/server/index.js';
import { createOrderTracker } from '../../src/server/orders/tracker/createOrderTracker.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { announceOrder } from '../support/server/announceOrder.js';
import { origin } from '../support/server/createTestHandler.js';
import { webhookPublicKey, webhookUrl } from '../support/server/createWebhook.js';
import { getHeaderShopper } from '../support/server/headerShopper.js';
import {
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { testRuntime } from '../support/server/testRuntime.js';
import { withResolved } from '../support/server/withResolved.js';
import { createContract, type Exchange } from './createContract.js';

export const syncSecret = 'k3Jq9vYt2LmX8pRw5sZc7dFh4gNb6aUe';
const BASE = '/api/ramp';
const wallet = '0x53e942be1dceede5d0a21167d0eaec6a7e9f0f2e';

type Options = RampHandlerOptions<unknown>;

/** What a request meets: parts of the backend that are missing, wrong or down. */
export type Condition = keyof typeof conditions;

const fail = (code: RampErrorCode, details = {}) => {
  throw new RampError(code, 'This part of the backend fails in this test.', details);
};
const throwError = () => {
  throw new Error('down');
};

/** Replaces every method of an object. */
const replaceMethods = <T extends object>(object: T, method: () => never): T =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'function' ? async () => method() : value,
    ]),
  ) as T;

const nothing = undefined;

/** The options of the handler that each condition replaces. */
const conditions = {
  none: () => ({}),
  storeBusy: ({ store, tracker }) => ({
    store: replaceMethods(store, () => fail('ERR_TIMEOUT')),
    tracker: { ...tracker, sync: async () => fail('ERR_TIMEOUT') },
  }),
  storeDown: ({ store, tracker }) => ({
    store: replaceMethods(store, throwError),
    tracker: { ...tracker, sync: async () => throwError() },
  }),
  verifierDown: ({ webhooks }) => ({ webhooks: { ...webhooks, verify: throwError } }),
  nobody: () => ({ getShopper: () => undefined }),
  numericId: () => ({ getShopper: () => ({ id: 42 }) as never }),
  sessionsDown: () => ({ getShopper: throwError }),
  apiDown: ({ api, tracker }) => ({
    api: replaceMethods(api, () => fail('ERR_NETWORK')),
    tracker: { ...tracker, sync: async () => fail('ERR_API_RESPONSE') },
  }),
  apiRefuses: ({ api }) => ({
    api: replaceMethods(api, () => fail('ERR_API_RESPONSE', { apiCode: '10002' })),
  }),
  noWebhooks: () => ({ webhooks: nothing }),
  noSyncs: () => ({ syncSecret: nothing }),
  wrongClock: ({ tracker }) => ({
    tracker: { ...tracker, sync: async () => fail('ERR_CONFIG_INVALID') },
  }),
  listedOrders: ({ tracker }) => ({
    tracker: {
      ...tracker,
      sync: async () => ({
        ...{ ran: true as const, isComplete: true, listed: 3 },
        ...{ recorded: 1, malformed: 0, delivered: 1 },
      }),
    },
  }),
  policyRefuses: () => ({ policy: () => fail('ERR_POLICY_REFUSED') as never }),
  policyThrows: () => ({ policy: throwError }),
  policyWithoutParams: () => ({ policy: () => ({}) as CheckoutGrant }),
  wrongWallet: () => ({
    policy: () => ({
      params: { walletAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' },
    }),
  }),
  incompleteGrant: () => ({ policy: () => ({ params: {} as never }) }),
  grantedSubject: () => ({
    policy: () => ({ subject: 'u9', params: { walletAddress: wallet } }) as CheckoutGrant,
  }),
  changedTerms: () => ({
    policy: () => ({ params: { walletAddress: wallet, walletAddressHidden: '1' } }),
  }),
  signerFails: ({ signer }) => ({ signer: { ...signer, sign: () => fail('ERR_SIGNER') } }),
  signerThrows: ({ signer }) => ({ signer: { ...signer, sign: throwError } }),
} satisfies Record<
  string,
  (options: Required<Pick<Options, 'api' | 'signer'>> & Parts) => Partial<Options>
>;

interface Parts {
  readonly store: OrderStore;
  readonly api: PartnerApi;
  readonly tracker: ReturnType<typeof createOrderTracker>;
  readonly webhooks: ReturnType<typeof createWebhookVerifier>;
}

export const conditionNames = Object.keys(conditions) as Condition[];

/** A request to the handler. */
export interface SentRequest {
  readonly method: string;
  /** The path below the base path and the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Grants what the page proposed. Adds what an NFT or a wallet needs. */
const policy: Options['policy'] = ({ widget, proposal, continues }) => {
  if (continues) {
    const { ext: _, partnerId: __, ...params } = continues.params;
    return { params: params as never };
  }
  const { ext: _, partnerId: __, ...proposed } = proposal as Record<string, string>;
  if (widget === 'on-ramp') return { params: { ...proposed, walletAddress: wallet } };
  const needed = {
    ...{ contractAddress: '0x30', nftNetwork: 'polygon', transferWalletAddress: wallet },
    ...{ cryptoCurrency: 'ETH', amount: '0.05', walletAddress: wallet, walletAddressTag: '' },
  };
  const own =
    proposed.type === 'MARKET'
      ? { type: 'MARKET', tokenId: '1', ownerWalletAddress: wallet }
      : { type: 'MINT', mintQuantity: '1' };
  return { params: { ...needed, ...own, ...proposed } as never };
};

/**
 * Creates a shop with the real handler on a memory store, which has checkouts in every state, and with the API of a
 * sandbox. It compares every response with the document.
 */
export async function createHandlerWorld(sandbox: Sandbox) {
  const contract = createContract(createOpenApi('1.2.3'));
  const store = withResolved(memoryOrderStore(), new Set(['order-resolved']));
  const api = createPartnerApi({
    baseUrl: sandbox.baseUrl,
    partnerId: sandbox.partnerId,
    privateKey: sandbox.apiPrivateKey,
  });
  const onError = () => {};
  const parts: Parts = {
    store,
    api,
    tracker: createOrderTracker({
      api,
      store,
      isServerless: true,
      onError,
      deliver() {},
      review() {},
    }),
    webhooks: createWebhookVerifier({
      publicKey: webhookPublicKey,
      url: webhookUrl,
    }),
  };
  const options: Options = {
    ...parts,
    signer: createWidgetSigner(sandbox),
    allowedOrigins: [origin],
    allowBearer: true,
    getShopper: getHeaderShopper,
    syncSecret,
    policy,
    onError,
  };
  const createHandler = (condition: Condition) =>
    createRampHandler(
      {
        ...options,
        ...conditions[condition]({ ...parts, signer: options.signer }),
      } as Options,
      testRuntime({ warnOnce() {} }),
    );
  const toRequest = ({ method, target, headers, body }: SentRequest) =>
    new Request(`${origin}${BASE}${target}`, {
      method,
      headers,
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
    });

  /** Sends a request, and reads the response. */
  async function exchange(
    handler: ReturnType<typeof createHandler>,
    sent: SentRequest,
  ): Promise<Exchange> {
    const request = toRequest(sent);
    const response = await handler(request);
    const text = await response.text();
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : pathname;
    const { status, headers } = response;
    return { method: sent.method, path, status, headers, text };
  }

  return {
    contract,
    ...(await createCheckouts(store, sandbox)),
    createHandler,
    exchange,
  };
}

/** Creates checkouts in every state. Returns their references and a cursor. */
async function createCheckouts(store: OrderStore, sandbox: Sandbox) {
  const now = Math.floor(Date.now() / 1000);
  const walletAddress = wallet;
  const checkout = { createdAt: now - 60, expiresAt: now + 86_000 };
  const known = (reference: string) => ({
    reference,
    ...checkout,
    params: { walletAddress, ext: reference, partnerId: sandbox.partnerId },
  });
  const references = [
    'waiting',
    'paid',
    'other',
    'review',
    'resolved',
    'announced',
    'expired',
  ].concat(['half', 'unknown', 'sold']);
  for (const reference of references)
    await store.saveCheckout(
      onRampCheckout({
        ...known(reference),
        ...(reference === 'other' && { subject: 'u2' }),
        ...(reference === 'expired' && { expiresAt: now - 1 }),
      }),
    );
  const nft = ['nft', 'settling', 'settled'];
  for (const reference of nft) await store.saveCheckout(nftCheckout({ reference, ...checkout }));
  const order = (ext: string, given = {}) =>
    onRampOrder({ orderId: `order-${ext}`, ext, walletAddress, finishTime: now, ...given });
  const foreign = '0xAbC0000000000000000000000000000000000002';
  await store.recordOrders(
    [
      order('paid', {
        ...{ payTime: now, deliverTime: now, network: 'ethereum_mainnet', cryptoCurrency: 'ETH' },
        blockchainExplorer: 'https://explorer.example/tx/',
      }),
      order('review', { walletAddress: foreign }),
      order('resolved', { walletAddress: foreign }),
      order('half'),
      order('half', { orderId: 'second', walletAddress: foreign }),
      order('unknown', { orderStatus: 9, state: 'unknown' }),
      ...(['finished', 'settlement', 'settled'] as const).map((state, at) =>
        nftOrder(state, { orderId: `order-${nft[at]}`, ext: nft[at] as string }),
      ),
    ],
    now,
  );
  await announceOrder(store, 'announced', now);
  for (const reference of [...references, ...nft]) await store.markOpened(reference, now);
  const client = createSandboxClient(sandbox, Date.now);
  const session = await client.open({ ext: 'sold', walletAddress, walletAddressLocked: '1' });
  const choice = { session, fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
  await client.post('/home/quote', choice);
  const bought = await client.post('/home/orders', { ...choice, email: 'shopper@example.com' });
  if (bought.status !== 201)
    throw new Error(`The sandbox sold nothing: ${JSON.stringify(bought.body)}`);
  const cursor = Buffer.from(`${checkout.createdAt}.waiting`).toString('base64url');
  return { references: [...references, ...nft], cursor };
}
