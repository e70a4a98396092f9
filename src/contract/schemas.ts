import * as z from 'zod/mini';
import { amount, count, describe, flag, name, text, time } from './describe.js';
import { type ErrorCode, errorCodes } from './errorCodes.js';
import {
  nftProposalSchema,
  onRampProposalSchema,
  selectionSchema,
  signedParamsSchema,
} from './widgetParams.js';

// The bodies of the handler's requests and responses. The OpenAPI document, the types in
// src/protocol/handler/CheckoutResponse.ts (npm run docs) and the checks of `partner-ramp conformance` derive from
// them. Neither a page nor the handler loads them.

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
      "The service's own text. Show it if the minutes are absent, which means that the text could not be parsed.",
    ),
    minMinutes: z.optional(count('The shortest duration, in minutes.')),
    maxMinutes: z.optional(count('The longest duration, in minutes.')),
  }),
);

const paymentOptionSchema = name(
  'PaymentOption',
  'A payment method of one fiat currency.',
  z.object({
    name: text('The name to pass as `payment` in a quote query, such as `CREDIT_DEBIT_CARD`.'),
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
  'A price. The service does not document the currency of the fees; treat them as fiat amounts.',
  z.object({
    fiatCurrency: text('ISO code, the same as in the query.'),
    currencyAmount: amount('The fiat amount to pay, including fees.'),
    cryptoCurrencyCode: text('The code of the currency, the same as in the query.'),
    cryptoCurrency: z.optional(text('The symbol without the network, such as `USDT`.')),
    network: z.optional(text('`<chain>_<net>`, such as `ethereum_mainnet`.')),
    cryptoCurrencyAmount: amount(
      'The amount of cryptocurrency that is delivered. For an NFT, it equals the `currencyAmount` in the query.',
    ),
    cryptoCurrencyUnitPrice: z.optional(amount('The fiat price of one unit.')),
    gasFee: z.optional(amount('The network fee.')),
    platformFee: z.optional(amount('The service fee.')),
    totalFee: z.optional(amount('All fees together.')),
    paymentOptions: paymentOptions(),
  }),
);

export const cacheInfoSchema = describe(
  'The age of a response that the backend may have cached.',
  z.object({
    ageSeconds: count('How many seconds ago the backend received the data from the service.'),
    stale: flag('Whether the service is down and this is an earlier response.'),
  }),
);

export const fiatCurrenciesResponseSchema = name(
  'FiatCurrenciesResponse',
  'The response of `GET /currencies`: the fiat currencies of the service.',
  z.object({
    currencies: describe('The currencies to pay in.', z.array(fiatCurrencySchema)),
    ...cacheInfoSchema.shape,
  }),
);

export const cryptoCurrenciesResponseSchema = name(
  'CryptoCurrenciesResponse',
  'The response of `GET /cryptocurrencies`: the cryptocurrencies of the service.',
  z.object({
    cryptoCurrencies: describe('The currencies to buy.', z.array(cryptoCurrencySchema)),
    ...cacheInfoSchema.shape,
  }),
);

export const quoteResponseSchema = name(
  'QuoteResponse',
  'The response of `GET /quote`: the price for a query.',
  z.object({ quote: quoteSchema, ...cacheInfoSchema.shape }),
);

/** What each value of a checkout's `progress` means. */
export const progressMeanings = {
  waiting: 'no order yet',
  unconfirmed:
    'a webhook announced an order that the order list does not contain yet, or an order is in an unknown state',
  finished: 'an on-ramp order is delivered, or an NFT is paid',
  settlement: 'the settlement of an NFT has begun',
  settled: 'the settlement is complete',
  expired: 'no order arrived in time; it may still arrive',
  review: 'every order is quarantined; `resolution` says whether the shop has resolved them',
} as const;

/** Returns one text that lists each value with its meaning. */
const listMeanings = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}.`)
    .join(' ');

const enumOf = <Name extends string>(meanings: Readonly<Record<Name, string>>) =>
  z.enum(Object.keys(meanings) as Name[]);

const { finished, settlement, settled } = progressMeanings;
/** What each value of an order's `state` means. */
const stateMeanings = {
  ...{ finished, settlement, settled },
  unknown: 'the service reports a state that the backend does not know',
};

const orderSummarySchema = name(
  'OrderSummary',
  'The part of an order that a shopper may see.',
  z.object({
    state: describe(listMeanings(stateMeanings), enumOf(stateMeanings)),
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
      describe(
        'The hash of the transaction: only letters, digits, `-` and `_`.',
        z.string().check(z.regex(/^[A-Za-z0-9_-]+$/)),
      ),
    ),
    transactionUrl: z.optional(
      describe(
        'URL of the transaction in a block explorer, always `https:`.',
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

const reference = text(
  "The name of the checkout: 22 characters of base64url. It is part of the widget's URL, so it identifies no user.",
);

const progressSchema = name(
  'CheckoutProgress',
  `The progress of a checkout, as its shopper may see it. ${listMeanings(progressMeanings)}`,
  enumOf(progressMeanings),
);

const resolutionSchema = name(
  'OrderResolution',
  'How the shop resolved an order by hand: it refunded the shopper, delivered, or has nothing left to do (`closed`).',
  z.enum(['refunded', 'delivered', 'closed']),
);

export const checkoutResponseSchema = name(
  'CheckoutResponse',
  'The state of a checkout, as its shopper may see it.',
  z.object({
    reference,
    widget: name(
      'Widget',
      'The hosted widget: `on-ramp` sells cryptocurrency, `nft` sells or mints NFTs.',
      z.enum(['on-ramp', 'nft']),
    ),
    progress: progressSchema,
    orders: describe('The matched orders, oldest first.', z.array(orderSummarySchema)),
    underReview: z.optional(
      describe(
        'How many other orders are quarantined and unresolved, such as a second payment for one NFT. Absent if there are none, or if `progress` is `review`.',
        z.int().check(z.minimum(1)),
      ),
    ),
    resolution: describe(
      'The resolution of the newest order, once the shop has resolved every order of the checkout. Show it in place of `progress`.',
      z.optional(resolutionSchema),
    ),
  }),
);

const pollAfterSeconds = describe(
  'How many whole seconds the client must wait before it polls again, at least 3. The more polls the instance serves, the longer the wait.',
  z.int().check(z.minimum(3)),
);

export const polledCheckoutSchema = name(
  'PolledCheckout',
  'The response of `GET /checkouts/{reference}`: the state of a checkout, and when to ask for it again.',
  z.object({ ...checkoutResponseSchema.shape, pollAfterSeconds }),
);

export const checkoutsResponseSchema = name(
  'CheckoutsResponse',
  "The response of `GET /checkouts`: the caller's newest checkouts, and the states of the checkouts that the request named.",
  z.object({
    checkouts: describe(
      "The caller's newest opened checkouts, newest first. Empty if `limit` is 0.",
      z.array(
        name(
          'ListedCheckout',
          'A checkout of `GET /checkouts`: its state, and when it was created.',
          z.object({
            ...checkoutResponseSchema.shape,
            createdAt: time('When the checkout was created.'),
          }),
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
    pollAfterSeconds,
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
  reference,
  params: signedParamsSchema,
  expiresInSeconds: count(
    'How many seconds the page may use the signature, counted from when the page receives it.',
  ),
});

export const openedCheckoutSchema = name(
  'OpenedCheckout',
  'A new, signed checkout. Each signature is meant for opening the widget once.',
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
      'No sync was due, the last one began less than ten seconds ago, or another process is syncing.',
      z.object({ ran: describe('No sync ran.', z.literal(false)) }),
    ),
    name(
      'FinishedSync',
      'The counts of a sync.',
      z.object({
        ran: describe('A sync ran.', z.literal(true)),
        isComplete: flag(
          'Whether the whole list was read. If it was not, the time ran out, and the next request continues.',
        ),
        listed: count(
          'The number of orders that were read from the list, not counting malformed ones.',
        ),
        recorded: count('The number of orders that were new or had advanced.'),
        malformed: count('The number of malformed orders, which are not recorded.'),
        delivered: count('The number of changes that were handled.'),
      }),
    ),
  ]),
);

export const webhookSchema = name(
  'Webhook',
  'What the service sends. The body is only a hint, because the service does not sign it, so the backend reads the order list.',
  z.looseObject({
    ext: z.optional(text('The reference of the checkout, if the body names it.')),
    order: z.optional(
      describe(
        'The order, if the body contains it.',
        z.looseObject({
          ext: z.optional(text("The reference of the order's checkout.")),
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

/** Returns the name of an error's schema: `ParamsInvalidError` for `ERR_PARAMS_INVALID`. */
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

const createErrorFields = (code: z.ZodMiniType<string>, message: z.ZodMiniType<string>) =>
  z.object({
    code: describe('The stable code of the error.', code),
    message,
    issues: z.exactOptional(
      describe('An issue for each invalid value.', z.array(issueSchema).check(z.maxLength(20))),
    ),
  });

/** The body of any error response. A backend that you write yourself may send other codes. */
export const errorBodySchema = z.object({
  error: createErrorFields(z.string().check(z.regex(/^ERR_/)), z.string().check(z.minLength(1))),
});

function createErrorSchema(code: ErrorCode) {
  const { when } = errorCodes[code];
  const message = text(
    code === 'ERR_POLICY_REFUSED'
      ? 'Why the checkout is refused, in words meant for the shopper.'
      : 'What is wrong, and how to fix it. It is meant for developers.',
  );
  const error = describe(when, createErrorFields(z.literal(code), message));
  if (code !== 'ERR_ORDER_EXISTS') return name(toSchemaName(code), when, z.object({ error }));
  return name(
    toSchemaName(code),
    `${when} The body also contains the state of the checkout. \`progress\` may still be \`waiting\` if a webhook only announced the order.`,
    z.object({ error, ...checkoutResponseSchema.shape }),
  );
}

/** The schemas of error bodies, by code. */
export const errorSchemas = Object.fromEntries(
  Object.keys(errorCodes).map((code) => [code, createErrorSchema(code as ErrorCode)]),
) as Record<ErrorCode, ReturnType<typeof createErrorSchema>>;
