import * as z from 'zod/mini';
import { amount, count, describe, flag, name, text, time } from './describe.js';
import {
  nftProposalSchema,
  onRampProposalSchema,
  selectionSchema,
  signedParamsSchema,
} from './widgetParams.js';

// The bodies of the handler's requests and responses. The TypeScript interfaces of the same names are what the code
// uses; test/contract/SchemaTypes.test-d.ts compares the two. These schemas are for the document and for tests: nothing
// that a partner loads imports them.

const icon = () =>
  describe(
    'URL of an image, `https:` (or `http:` on loopback).',
    z.string().check(z.regex(/^https?:\/\//)),
  );

const processingTimeSchema = name(
  'ProcessingTime',
  'The estimated duration of a payment.',
  z.object({
    text: text(
      'The text that the service sent. Show it when there are no minutes, because it could not be parsed.',
    ),
    minMinutes: z.optional(count('The shortest duration, in minutes.')),
    maxMinutes: z.optional(count('The longest duration, in minutes.')),
  }),
);

const paymentOptionSchema = name(
  'PaymentOption',
  'A payment method of one fiat currency.',
  z.object({
    name: text('The name for `payment` of a quote, such as `CREDIT_DEBIT_CARD`.'),
    processingTime: z.optional(processingTimeSchema),
    icon: z.optional(icon()),
    minAmount: z.optional(amount('The lowest amount of a payment, in the fiat currency.')),
    maxAmount: z.optional(amount('The highest amount of a payment, in the fiat currency.')),
  }),
);

const paymentOptions = () =>
  describe('The payment methods, with their limits.', z.array(paymentOptionSchema));

const fiatCurrencySchema = name(
  'FiatCurrency',
  'A fiat currency to pay in.',
  z.object({
    fiatCurrency: text('ISO code, such as `USD`.'),
    name: z.optional(text('The name of the currency, in English.')),
    paymentOptions: paymentOptions(),
  }),
);

const cryptoCurrencySchema = name(
  'CryptoCurrency',
  'A cryptocurrency on one network.',
  z.object({
    cryptoCurrencyCode: text('The code of the currency on its network, such as `USDT_ERC20`.'),
    cryptoCurrency: z.optional(text('The symbol without the network, such as `USDT`.')),
    network: z.optional(text('`<chain>_<net>`, such as `ethereum_mainnet`.')),
    icon: z.optional(icon()),
  }),
);

const quoteSchema = name(
  'Quote',
  'A price. The currency of its fees is not documented by the service; treat them as fiat amounts.',
  z.object({
    fiatCurrency: text('ISO code. It equals that of the query.'),
    currencyAmount: amount('The fiat amount to pay, including fees.'),
    cryptoCurrencyCode: text('The code of the currency. It equals that of the query.'),
    cryptoCurrency: z.optional(text('The symbol without the network, such as `USDT`.')),
    network: z.optional(text('`<chain>_<net>`, such as `ethereum_mainnet`.')),
    cryptoCurrencyAmount: amount(
      'The amount of cryptocurrency that is delivered. For an NFT, it equals `currencyAmount` of the query.',
    ),
    cryptoCurrencyUnitPrice: z.optional(amount('The fiat price of one unit.')),
    gasFee: z.optional(amount('The fee of the network.')),
    platformFee: z.optional(amount('The fee of the service.')),
    totalFee: z.optional(amount('All fees together.')),
    paymentOptions: paymentOptions(),
  }),
);

const cacheInfo = () => ({
  ageSeconds: count('The time since the backend received the data from the service.'),
  stale: flag('Whether the service is down, and this is its last response.'),
});

export const fiatCurrenciesResponseSchema = name(
  'FiatCurrenciesResponse',
  'The fiat currencies of the service.',
  z.object({
    currencies: describe('The currencies to pay in.', z.array(fiatCurrencySchema)),
    ...cacheInfo(),
  }),
);

export const cryptoCurrenciesResponseSchema = name(
  'CryptoCurrenciesResponse',
  'The cryptocurrencies of the service.',
  z.object({
    cryptoCurrencies: describe('The currencies to buy.', z.array(cryptoCurrencySchema)),
    ...cacheInfo(),
  }),
);

export const quoteResponseSchema = name(
  'QuoteResponse',
  'The price of a query.',
  z.object({ quote: quoteSchema, ...cacheInfo() }),
);

const orderSummarySchema = name(
  'OrderSummary',
  'The part of an order that a shopper may see.',
  z.object({
    state: describe(
      '`finished`: on-ramp delivered, NFT paid. `settlement`: the settlement of an NFT has begun. `settled`: it is complete. `unconfirmed`: the service reports a state that the backend does not know.',
      z.enum(['finished', 'settlement', 'settled', 'unconfirmed']),
    ),
    orderId: z.optional(
      text(
        'The number of the order, for a receipt. Absent if the backend cannot tell users apart.',
      ),
    ),
    fiatCurrency: z.optional(text('ISO code of the currency that was paid.')),
    currencyAmount: z.optional(amount('The fiat amount that was paid.')),
    cryptoCurrency: z.optional(text('The symbol of the cryptocurrency, such as `USDT`.')),
    cryptoCurrencyAmount: z.optional(amount('The amount of cryptocurrency.')),
    network: z.optional(text('The network of the delivery, as the service names it.')),
    transactionHash: z.optional(
      describe('The hash of the transaction.', z.string().check(z.regex(/^[A-Za-z0-9_-]+$/))),
    ),
    transactionUrl: z.optional(
      describe(
        'URL of the transaction in a block explorer.',
        z.string().check(z.regex(/^https:\/\//)),
      ),
    ),
    payTime: z.optional(time('When the order was paid.')),
    deliverTime: z.optional(time('When the transaction was created.')),
    finishTime: z.optional(time('When the transaction was confirmed.')),
    changedAt: z.optional(
      time('When the backend recorded `state`. Present if it is `settlement` or `settled`.'),
    ),
  }),
);

const widget = () =>
  describe(
    'The hosted widget: `on-ramp` sells cryptocurrency, `nft` sells or mints NFTs.',
    z.enum(['on-ramp', 'nft']),
  );

const reference = () =>
  text(
    'The name of the checkout: 22 characters of base64url. It is part of the widget’s URL, so it identifies no user.',
  );

const checkoutFields = () => ({
  reference: reference(),
  widget: widget(),
  progress: describe(
    '`waiting`: no order yet. `unconfirmed`: a webhook announced an order that the order list does not have yet, or an order is in an unknown state. `finished`: on-ramp delivered, NFT paid. `settlement`, `settled`: the settlement of an NFT has begun, or is complete. `expired`: no order arrived in time; it may still arrive. `review`: every order is quarantined.',
    z.enum(['waiting', 'unconfirmed', 'finished', 'settlement', 'settled', 'expired', 'review']),
  ),
  orders: describe('The matched orders, oldest first.', z.array(orderSummarySchema)),
  underReview: z.optional(
    describe(
      'The number of further orders that are quarantined and not resolved. Absent if there are none, or if `progress` is `review`.',
      z.int().check(z.minimum(1)),
    ),
  ),
  resolution: z.optional(
    describe(
      'How the shop resolved the newest order by hand, once it has resolved every order: it refunded the shopper, delivered, or closed the case. Show it in place of `progress`.',
      z.enum(['refunded', 'delivered', 'closed']),
    ),
  ),
});

const pollAfterSeconds = () =>
  describe(
    'When the client may poll again, in whole seconds. It grows with the polls that the instance serves.',
    z.int().check(z.minimum(3)),
  );

export const checkoutResponseSchema = name(
  'CheckoutResponse',
  'The state of a checkout, as its shopper may see it.',
  z.object(checkoutFields()),
);

export const polledCheckoutSchema = name(
  'PolledCheckout',
  'The state of a checkout, and when to ask for it again.',
  z.object({ ...checkoutFields(), pollAfterSeconds: pollAfterSeconds() }),
);

export const checkoutsResponseSchema = name(
  'CheckoutsResponse',
  'What a page watches: a page of the caller’s checkouts, and the states of the checkouts that it named.',
  z.object({
    checkouts: describe(
      'The newest opened checkouts of the caller, newest first. Empty if `limit` is 0.',
      z.array(
        name(
          'ListedCheckout',
          'A checkout of the list: its state, and when it was created.',
          z.object({ ...checkoutFields(), createdAt: time('When the checkout was created.') }),
        ),
      ),
    ),
    named: z.optional(
      describe(
        'The states of the checkouts in `references` that belong to the caller. Absent without `references`.',
        z.array(checkoutResponseSchema),
      ),
    ),
    nextCursor: z.optional(text('The `cursor` of the next page. Absent on the last page.')),
    pollAfterSeconds: pollAfterSeconds(),
  }),
);

export const checkoutProposalSchema = name(
  'CheckoutProposal',
  'What a page wants to open. Never sign it unchecked: the browser chose every value.',
  z.discriminatedUnion('widget', [
    name(
      'OnRampCheckoutProposal',
      'A proposal to buy cryptocurrency.',
      z.object({
        widget: describe('The widget that sells cryptocurrency.', z.literal('on-ramp')),
        params: z.optional(onRampProposalSchema),
        selection: z.optional(selectionSchema),
      }),
    ),
    name(
      'NftCheckoutProposal',
      'A proposal to buy or mint an NFT.',
      z.object({
        widget: describe('The widget that sells or mints NFTs.', z.literal('nft')),
        params: z.optional(nftProposalSchema),
        selection: z.optional(selectionSchema),
      }),
    ),
  ]),
);

const signedCheckoutFields = () => ({
  reference: reference(),
  params: signedParamsSchema,
  expiresInSeconds: count(
    'How long the page may use the signature, counted from receipt, in seconds.',
  ),
});

export const openedCheckoutSchema = name(
  'OpenedCheckout',
  'A new checkout, signed. Each signature is meant for one opening of the widget.',
  z.object({
    ...signedCheckoutFields(),
    isListed: z.optional(
      flag(
        'If true, the page sends `POST /checkouts/{reference}/opened` when it opens the checkout, so that the backend lists it.',
      ),
    ),
  }),
);

export const continuedCheckoutSchema = name(
  'ContinuedCheckout',
  'The same checkout, signed again.',
  z.object({ ...signedCheckoutFields(), selection: z.optional(selectionSchema) }),
);

export const syncRunSchema = name(
  'SyncRun',
  'What a sync did.',
  z.discriminatedUnion('ran', [
    name(
      'SkippedSync',
      'No sync was due, the last one began less than ten seconds ago, or another process syncs.',
      z.object({ ran: describe('No sync ran.', z.literal(false)) }),
    ),
    name(
      'FinishedSync',
      'The counts of a sync.',
      z.object({
        ran: describe('A sync ran.', z.literal(true)),
        isComplete: flag(
          'Whether the whole list was read. If not, its time was over, and the next request continues.',
        ),
        listed: count('The number of orders that were read from the list, without malformed ones.'),
        recorded: count('The number of orders that were new or had advanced.'),
        malformed: count('The number of malformed orders, which are not recorded.'),
        delivered: count('The number of changes that were handled.'),
      }),
    ),
  ]),
);

export const webhookSchema = name(
  'Webhook',
  'What the service sends. It is only a hint, because the service does not sign the body: the backend reads the order list.',
  z.looseObject({
    ext: z.optional(text('The reference of the checkout, if the body names it.')),
    order: z.optional(
      describe(
        'The order, if the body has it.',
        z.looseObject({
          ext: z.optional(text('The reference of the checkout of the order.')),
        }),
      ),
    ),
  }),
);

export const acceptedWebhookSchema = name(
  'AcceptedWebhook',
  'The webhook was verified, or is a replay of one that was.',
  z.object({}),
);

/** What each error code of a response means. */
export const errorCodes = {
  ERR_REQUEST: 'The body is not JSON, or the cursor is not one of this list.',
  ERR_METHOD_NOT_ALLOWED: 'The route has no such method. `Allow` names its methods.',
  ERR_CONTENT_TYPE: 'The body is not declared as `application/json`.',
  ERR_BODY_TOO_LARGE: 'The body is too large.',
  ERR_ORIGIN_REFUSED: 'The origin of the page is not allowed.',
  ERR_NOT_FOUND: 'The backend has no such route.',
  ERR_CHECKOUT_NOT_FOUND: 'The checkout is unknown, or belongs to another user.',
  ERR_RATE_LIMITED: 'The user sends too many requests. Try again after `Retry-After`.',
  ERR_BUSY: 'The backend has too many requests. Try again after `Retry-After`.',
  ERR_SYNC_SECRET: 'The secret of the scheduled job is missing or wrong.',
  ERR_PARAMS_INVALID: 'A parameter is wrong. `issues` names it.',
  ERR_SIGNED_OUT: 'Nobody is signed in.',
  ERR_POLICY_REFUSED: 'The policy refused the checkout. Its message is meant for the shopper.',
  ERR_ORDER_EXISTS: 'The checkout has an order, so it is not signed again.',
  ERR_CHECKOUT_EXPIRED:
    'The checkout has expired, is being erased, or would be granted differently now.',
  ERR_QUOTE_UNAVAILABLE: 'The service has no price for this query.',
  ERR_WEBHOOK_VERIFICATION: 'The webhook was not verified, or could not be recorded.',
  ERR_CONFIG_INVALID: 'An option, the policy or `getShopper` of the backend is wrong.',
  ERR_SIGNER: 'The widget signer of the backend failed.',
  ERR_INTERNAL: 'The backend failed, for example its store.',
  ERR_API_RESPONSE: 'The service failed, or refused the backend.',
  ERR_TIMEOUT: 'The store of the backend is busy. Try again after `Retry-After`.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The name of the schema of an error: `ParamsInvalidError` of `ERR_PARAMS_INVALID`. */
const toSchemaName = (code: string): string =>
  `${code
    .slice('ERR_'.length)
    .toLowerCase()
    .replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error`;

const issueSchema = name(
  'Issue',
  'An issue with one parameter. It never contains the value.',
  z.object({
    param: text(
      'The name of the parameter, or an empty string for an issue with the parameters as a whole.',
    ),
    message: text(
      'The issue as the rest of a sentence that begins with the name, such as `is required`.',
    ),
  }),
);

const errorFields = <Code extends ErrorCode>(code: Code) => ({
  error: describe(
    errorCodes[code],
    z.object({
      code: describe('The stable code of the error.', z.literal(code)),
      message: text(
        code === 'ERR_POLICY_REFUSED'
          ? 'Why the checkout is refused, for the shopper.'
          : 'What is wrong, and how to fix it. It is meant for developers.',
      ),
      issues: z.exactOptional(
        describe('An issue for each invalid value.', z.array(issueSchema).check(z.maxLength(20))),
      ),
    }),
  ),
});

const createErrorSchema = <Code extends ErrorCode>(code: Code) =>
  name(toSchemaName(code), errorCodes[code], z.object(errorFields(code)));

/** The bodies of error responses, by code. */
export const errorSchemas = {
  ...(Object.fromEntries(
    Object.keys(errorCodes)
      .filter((code) => code !== 'ERR_ORDER_EXISTS')
      .map((code) => [code, createErrorSchema(code as ErrorCode)]),
  ) as { [Code in ErrorCode]: ReturnType<typeof createErrorSchema<Code>> }),
  ERR_ORDER_EXISTS: name(
    'OrderExistsError',
    'The checkout has an order, so it is not signed again. The body also has the state of the checkout. `progress` may still be `waiting` if a webhook only announced the order.',
    z.object({ ...errorFields('ERR_ORDER_EXISTS'), ...checkoutFields() }),
  ),
};
