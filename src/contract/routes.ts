import * as z from 'zod/mini';
import { quoteQuerySchema } from '../protocol/api/parseQuoteQuery.js';
import { type ErrorCode, errorCodes } from './errorCodes.js';
import {
  acceptedWebhookSchema,
  checkoutProposalSchema,
  checkoutsResponseSchema,
  continuedCheckoutSchema,
  cryptoCurrenciesResponseSchema,
  fiatCurrenciesResponseSchema,
  openedCheckoutSchema,
  polledCheckoutSchema,
  quoteResponseSchema,
  syncRunSchema,
  webhookSchema,
} from './schemas.js';

/** The name of a header that only some responses carry. */
export type HeaderName = keyof typeof headers;

/** The headers of particular responses, beyond those that every response carries. */
export const headers = {
  Allow: {
    description: 'The methods of this path. A path that supports GET also supports HEAD.',
    schema: { type: 'string', pattern: '^(GET|POST)(, POST)?$' },
  },
  'Cache-Control': {
    description:
      '`private, max-age=…` for the seconds in which the data is fresh; `no-store` for stale data. Other responses carry `no-store`.',
    schema: { type: 'string', pattern: '^(private, max-age=\\d+|no-store)$' },
  },
  ETag: {
    description:
      'Identifies the state. Send it back in `If-None-Match` to get a 304 while nothing has changed.',
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}"$' },
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next request.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
  },
  'Server-Timing': {
    description: '`cache;desc=hit`, or how long the service took: `service;dur=…` in milliseconds.',
    schema: { type: 'string', pattern: '^(cache;desc=hit|service;dur=\\d+(\\.\\d+)?)$' },
  },
  'WWW-Authenticate': {
    description: 'The scheme of the secret.',
    schema: { type: 'string', const: 'Bearer' },
  },
} as const;

/** A successful response. Without a schema it has no body. */
interface Success {
  readonly status: number;
  readonly description: string;
  readonly schema?: z.core.$ZodType;
  readonly headers?: readonly HeaderName[];
  readonly example?: unknown;
}

/** An error response of a route. */
interface Failure {
  readonly code: ErrorCode;
  /** @default the status of the code */
  readonly status?: number;
  /** When the handler responds with this error. */
  readonly when: string;
  /** The headers that a response with this error always has. */
  readonly headers?: readonly HeaderName[];
}

/** Returns the status of an error response. */
export const getStatus = ({ code, status = errorCodes[code].status }: Failure): number => status;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: z.core.$ZodType;
  readonly required?: boolean;
}

/** Who may call a route. */
export type Access = keyof typeof accesses;

/**
 * How callers identify themselves: the names of their security schemes. An empty name means that callers need not
 * identify themselves.
 */
export const accesses = {
  /** A shopper with your own session or bearer token, or a visitor without either. */
  shopper: ['session', 'token', ''],
  service: ['webhookSignature'],
  job: ['syncSecret'],
  everyone: [''],
} as const;

export interface Route {
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly operationId: string;
  readonly tag: 'Checkouts' | 'Prices' | 'Service';
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly parameters?: readonly Parameter[];
  readonly body?: {
    readonly description: string;
    readonly schema: z.core.$ZodType;
    readonly example: unknown;
  };
  readonly successes: readonly Success[];
  readonly failures: readonly Failure[];
}

const example = {
  checkout: {
    reference: 'q1Jz8sUjXo2dR4TkWb7n9A',
    widget: 'on-ramp',
    progress: 'finished',
    orders: [
      {
        state: 'finished',
        orderId: '1104258',
        fiatCurrency: 'USD',
        currencyAmount: '100.00',
        cryptoCurrency: 'USDT',
        cryptoCurrencyAmount: '97.09000000',
        network: 'ethereum_mainnet',
        transactionHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
        transactionUrl:
          'https://etherscan.io/tx/0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
        payTime: 1767225600,
        deliverTime: 1767225630,
        finishTime: 1767225660,
      },
    ],
  },
  proposal: {
    widget: 'on-ramp',
    params: {
      walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
      walletAddressLocked: '1',
    },
    selection: { defaultCurrency: 'ETH', cryptoNetwork: 'ethereum_mainnet', fiatCurrency: 'EUR' },
  },
  signed: {
    reference: 'q1Jz8sUjXo2dR4TkWb7n9A',
    params: {
      partnerId: 'partner-1',
      timestamp: '1767225600',
      nonce: '482910',
      walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
      walletAddressLocked: '1',
      ext: 'q1Jz8sUjXo2dR4TkWb7n9A',
      signature: 'm8bN0yQ4gTqB0m6dVnX3YqkC2i1o5q7mEoYl0rZ9aSs=',
    },
    expiresInSeconds: 240,
  },
  paymentOption: {
    name: 'CREDIT_DEBIT_CARD',
    processingTime: { text: '5 - 10Min', minMinutes: 5, maxMinutes: 10 },
    minAmount: '15.00',
    maxAmount: '2000.00',
  },
};

const reference: Parameter = {
  name: 'reference',
  in: 'path',
  description: 'The `reference` of the checkout.',
  schema: z.string().check(z.minLength(1)),
  required: true,
};

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the response that the caller received last.',
  schema: z.string(),
};

const notModified: Success = {
  status: 304,
  description: 'Nothing has changed since the response that `If-None-Match` names.',
  headers: ['ETag'],
};

const { shape } = quoteQuerySchema;

const buyType: Parameter = {
  name: 'buyType',
  in: 'query',
  description: 'What is bought: cryptocurrency for fiat (`fiat`, the default), or an NFT (`nft`).',
  schema: shape.buyType,
};

const webhookHeader = (name: string, description: string, pattern: RegExp): Parameter => ({
  name,
  in: 'header',
  description,
  schema: z.string().check(z.regex(pattern)),
  required: true,
});

// Failures that several routes share.

const wrongMethod: Failure = {
  code: 'ERR_METHOD_NOT_ALLOWED',
  when: 'the path does not support the method of the request.',
  headers: ['Allow'],
};
const backendFailed: Failure = {
  code: 'ERR_INTERNAL',
  when: 'the backend failed, for example its store.',
};
const storeBusy: Failure = {
  code: 'ERR_TIMEOUT',
  when: 'the store is busy.',
  headers: ['Retry-After'],
};
const wrongShopper: Failure = {
  code: 'ERR_CONFIG_INVALID',
  when: 'the result of `getShopper` has no id.',
};
const unknownCheckout: Failure = {
  code: 'ERR_CHECKOUT_NOT_FOUND',
  when: 'the checkout is unknown or belongs to another user.',
};
const wrongQuery: Failure = {
  code: 'ERR_PARAMS_INVALID',
  when: 'a parameter of the query is unknown, repeated or malformed.',
};
const wrongOrigin: Failure = {
  code: 'ERR_ORIGIN_REFUSED',
  when: 'the `Origin` of the request is not allowed.',
};

const busy: Failure = {
  code: 'ERR_BUSY',
  when: '1,000 other requests are in progress.',
  headers: ['Retry-After'],
};
const tooManyRequests: Failure = {
  code: 'ERR_RATE_LIMITED',
  when: 'the user has sent more than 300 requests to the routes of checkouts in a minute.',
  headers: ['Retry-After'],
};

/** The failures of routes that call the policy and sign. */
const signingFailures: readonly Failure[] = [
  wrongOrigin,
  { code: 'ERR_POLICY_REFUSED', when: 'the policy refused.' },
  {
    code: 'ERR_CONFIG_INVALID',
    when: '`getShopper` returned no id, the policy returned something that cannot be signed, or an option is wrong.',
  },
  { code: 'ERR_SIGNER', when: 'your own widget signer threw this code.' },
  tooManyRequests,
  backendFailed,
  storeBusy,
  busy,
  wrongMethod,
];

const priceFailures: readonly Failure[] = [
  wrongQuery,
  wrongMethod,
  {
    code: 'ERR_QUOTE_UNAVAILABLE',
    when: 'the service has no price for this query, or no list of this kind.',
  },
  {
    code: 'ERR_API_RESPONSE',
    when: 'the service failed, and its last response is too old.',
  },
  busy,
];

const priceHeaders: readonly HeaderName[] = ['Cache-Control', 'Server-Timing'];

/** The routes of the handler, with every response that it sends. */
export const routes: readonly Route[] = [
  {
    path: '/checkouts',
    method: 'post',
    operationId: 'openCheckout',
    tag: 'Checkouts',
    summary: 'Sign a checkout',
    description:
      'Calls the policy with what the page proposes, signs what the policy granted, and stores the terms under a new reference.',
    access: 'shopper',
    body: {
      description: 'What the page proposes, at most 16 KB.',
      schema: checkoutProposalSchema,
      example: example.proposal,
    },
    successes: [
      {
        status: 201,
        description: 'The signed parameters.',
        schema: openedCheckoutSchema,
        example: { ...example.signed, isListed: true },
      },
    ],
    failures: [
      { code: 'ERR_REQUEST', when: 'the body is not JSON in UTF-8.' },
      {
        code: 'ERR_PARAMS_INVALID',
        when: 'a parameter is wrong, in the proposal, the selection or the policy’s grant.',
      },
      { code: 'ERR_SIGNED_OUT', when: 'nobody is signed in.' },
      { code: 'ERR_BODY_TOO_LARGE', when: 'the body is larger than 16 KB.' },
      {
        code: 'ERR_CONTENT_TYPE',
        when: 'the content type is not `application/json`.',
      },
      ...signingFailures,
    ],
  },
  {
    path: '/checkouts',
    method: 'get',
    operationId: 'listCheckouts',
    tag: 'Checkouts',
    summary: 'Read what a page watches',
    description:
      'Returns the states of the checkouts that the request names, and the newest opened checkouts of the caller. A page polls it, and waits `pollAfterSeconds` between two polls. It changes nothing. A named checkout that is unknown or belongs to another user is left out. If nobody is signed in, both lists are empty.',
    access: 'shopper',
    parameters: [
      {
        name: 'references',
        in: 'query',
        description: 'The references of up to 50 checkouts, separated by commas.',
        schema: z.string(),
      },
      {
        name: 'limit',
        in: 'query',
        description:
          'How many of the newest opened checkouts to list, 0 to 50. The default is 20, or 0 with `references`.',
        schema: z.string().check(z.regex(/^(\d|[1-4]\d|50)$/)),
      },
      {
        name: 'cursor',
        in: 'query',
        description: 'The `nextCursor` of the previous page. It needs a `limit` above 0.',
        schema: z.string(),
      },
      ifNoneMatch,
    ],
    successes: [
      {
        status: 200,
        description: 'The checkouts.',
        schema: checkoutsResponseSchema,
        headers: ['ETag'],
        example: {
          checkouts: [{ ...example.checkout, createdAt: 1767225600 }],
          named: [example.checkout],
          nextCursor: 'MTc2NzIyNTYwMC5xMUp6OHNValhvMmRSNFRrV2I3bjlB',
          pollAfterSeconds: 3,
        },
      },
      notModified,
    ],
    failures: [
      wrongQuery,
      {
        code: 'ERR_REQUEST',
        when: 'the cursor is malformed, or does not name a checkout of the caller.',
      },
      wrongMethod,
      tooManyRequests,
      wrongShopper,
      backendFailed,
      storeBusy,
      busy,
    ],
  },
  {
    path: '/checkouts/{reference}',
    method: 'get',
    operationId: 'readCheckout',
    tag: 'Checkouts',
    summary: 'Read the state of a checkout',
    description:
      'Returns the state of a checkout to its owner, for clients other than the pages of this package. It changes nothing.',
    access: 'shopper',
    parameters: [reference, ifNoneMatch],
    successes: [
      {
        status: 200,
        description: 'The state.',
        schema: polledCheckoutSchema,
        headers: ['ETag'],
        example: { ...example.checkout, pollAfterSeconds: 3 },
      },
      notModified,
    ],
    failures: [
      unknownCheckout,
      wrongMethod,
      tooManyRequests,
      wrongShopper,
      backendFailed,
      storeBusy,
      busy,
    ],
  },
  {
    path: '/checkouts/{reference}/opened',
    method: 'post',
    operationId: 'reportOpenedCheckout',
    tag: 'Checkouts',
    summary: 'Report that a checkout was opened',
    description:
      'Records that the shopper has opened the checkout, so that it is listed. A page sends it when the widget opens. A repetition changes nothing. The request has no body.',
    access: 'shopper',
    parameters: [reference],
    successes: [{ status: 204, description: 'The checkout is marked as opened.' }],
    failures: [
      wrongOrigin,
      unknownCheckout,
      wrongMethod,
      tooManyRequests,
      wrongShopper,
      backendFailed,
      storeBusy,
      busy,
    ],
  },
  {
    path: '/checkouts/{reference}/continue',
    method: 'post',
    operationId: 'continueCheckout',
    tag: 'Checkouts',
    summary: 'Sign the same checkout again',
    description:
      'Signs the same checkout again, so that the shopper can continue in a new window. It reads the order list first, because a checkout that has an order is never signed again. The request has no body.',
    access: 'shopper',
    parameters: [reference],
    successes: [
      {
        status: 200,
        description: 'The same reference and terms, with a new signature.',
        schema: continuedCheckoutSchema,
        example: { ...example.signed, selection: example.proposal.selection },
      },
    ],
    failures: [
      {
        code: 'ERR_PARAMS_INVALID',
        when: 'a parameter of the policy’s grant is wrong.',
      },
      unknownCheckout,
      {
        code: 'ERR_ORDER_EXISTS',
        when: 'the checkout has an order, or a webhook announced one.',
      },
      {
        code: 'ERR_CHECKOUT_EXPIRED',
        when: 'the checkout expires before the new signature would, or would be granted differently now.',
      },
      ...signingFailures,
      {
        code: 'ERR_API_RESPONSE',
        when: 'the order list could not be read in time, so the checkout may be paid.',
        headers: ['Retry-After'],
      },
    ],
  },
  {
    path: '/currencies',
    method: 'get',
    operationId: 'listFiatCurrencies',
    tag: 'Prices',
    summary: 'List the fiat currencies',
    description:
      'Lists the currencies to pay in, with their payment methods. Cached for five minutes.',
    access: 'everyone',
    successes: [
      {
        status: 200,
        description: 'The currencies.',
        schema: fiatCurrenciesResponseSchema,
        headers: priceHeaders,
        example: {
          currencies: [
            { fiatCurrency: 'USD', name: 'US Dollar', paymentOptions: [example.paymentOption] },
          ],
          ageSeconds: 3,
          stale: false,
        },
      },
    ],
    failures: priceFailures,
  },
  {
    path: '/cryptocurrencies',
    method: 'get',
    operationId: 'listCryptoCurrencies',
    tag: 'Prices',
    summary: 'List the cryptocurrencies',
    description: 'Lists the cryptocurrencies to buy. Cached for five minutes.',
    access: 'everyone',
    parameters: [buyType],
    successes: [
      {
        status: 200,
        description: 'The cryptocurrencies.',
        schema: cryptoCurrenciesResponseSchema,
        headers: priceHeaders,
        example: {
          cryptoCurrencies: [
            {
              cryptoCurrencyCode: 'USDT_ERC20',
              cryptoCurrency: 'USDT',
              network: 'ethereum_mainnet',
            },
          ],
          ageSeconds: 3,
          stale: false,
        },
      },
    ],
    failures: priceFailures,
  },
  {
    path: '/quote',
    method: 'get',
    operationId: 'quotePrice',
    tag: 'Prices',
    summary: 'Quote a price',
    description: 'Quotes a price for an amount. Cached for five seconds.',
    access: 'everyone',
    parameters: [
      {
        name: 'fiatCurrency',
        in: 'query',
        description: 'The ISO code of the currency to pay in, such as `USD`.',
        schema: shape.fiatCurrency,
        required: true,
      },
      {
        name: 'currencyAmount',
        in: 'query',
        description:
          'More than 0. The fiat amount to pay, with at most two decimals. For `buyType=nft`, the price of the NFT in the cryptocurrency, with at most eighteen.',
        schema: shape.currencyAmount,
        required: true,
      },
      {
        name: 'cryptoCurrencyCode',
        in: 'query',
        description: 'The code of the cryptocurrency, such as `USDT_ERC20`.',
        schema: shape.cryptoCurrencyCode,
        required: true,
      },
      {
        name: 'payment',
        in: 'query',
        description: 'The `name` of a payment option.',
        schema: shape.payment,
      },
      buyType,
    ],
    successes: [
      {
        status: 200,
        description: 'The price.',
        schema: quoteResponseSchema,
        headers: priceHeaders,
        example: {
          quote: {
            fiatCurrency: 'USD',
            currencyAmount: '100.00',
            cryptoCurrencyCode: 'USDT_ERC20',
            cryptoCurrencyAmount: '97.09000000',
            totalFee: '2.91',
            paymentOptions: [example.paymentOption],
          },
          ageSeconds: 0,
          stale: false,
        },
      },
    ],
    failures: priceFailures,
  },
  {
    path: '/webhook',
    method: 'post',
    operationId: 'receiveWebhook',
    tag: 'Service',
    summary: 'Receive a webhook from the service',
    description:
      'Verifies a webhook, and requests a sync of the order list. Every header that begins with `X-Fp-`, and every parameter of the query, is part of the signed text.',
    access: 'service',
    parameters: [
      webhookHeader('X-Fp-Timestamp', 'When the webhook was signed, Unix seconds.', /^\d{10}$/),
      webhookHeader('X-Fp-Nonce', 'A random number.', /^\d{1,10}$/),
    ],
    body: {
      description: 'The announcement of an order, at most 64 KB.',
      schema: webhookSchema,
      example: { ext: 'q1Jz8sUjXo2dR4TkWb7n9A' },
    },
    successes: [
      {
        status: 200,
        description: 'The webhook is genuine. A replay gets the same response.',
        schema: acceptedWebhookSchema,
        example: {},
      },
    ],
    failures: [
      { code: 'ERR_WEBHOOK_VERIFICATION', when: 'the webhook was not verified.' },
      { code: 'ERR_NOT_FOUND', when: 'the backend has no `webhookUrl`.' },
      wrongMethod,
      { code: 'ERR_BODY_TOO_LARGE', when: 'the body is larger than 64 KB.' },
      backendFailed,
      {
        status: 503,
        code: 'ERR_WEBHOOK_VERIFICATION',
        when: 'the webhook is genuine, and could not be recorded.',
      },
      busy,
    ],
  },
  ...(['get', 'post'] as const).map(
    (method): Route => ({
      path: '/sync',
      method,
      operationId: method === 'get' ? 'syncByGet' : 'syncByPost',
      tag: 'Service',
      summary: `Run a sync of the order list (${method.toUpperCase()})`,
      description:
        'Runs a sync if one is due, for a scheduled job. GET and POST do the same. The route sends no CORS headers, because no page may call it.',
      access: 'job',
      successes: [
        {
          status: 200,
          description: 'What the sync did.',
          schema: syncRunSchema,
          example: {
            ran: true,
            isComplete: true,
            listed: 3,
            recorded: 1,
            malformed: 0,
            delivered: 1,
          },
        },
      ],
      failures: [
        {
          code: 'ERR_SYNC_SECRET',
          when: 'the secret is missing or wrong.',
          headers: ['WWW-Authenticate'],
        },
        { code: 'ERR_NOT_FOUND', when: 'the backend has no `serverless.syncSecret`.' },
        wrongMethod,
        {
          code: 'ERR_CONFIG_INVALID',
          when: 'an option of the backend is wrong.',
        },
        backendFailed,
        {
          code: 'ERR_API_RESPONSE',
          when: 'the service failed. The next request tries again.',
        },
        storeBusy,
      ],
    }),
  ),
];
