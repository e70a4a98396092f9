// The package's own handler in Express, as a backend under test of `partner-ramp conformance`. The first argument plants
// a mistake, or several in different routes, separated by commas.
import {
  createRamp,
  createWidgetSigner,
  memoryOrderStore,
  RampError,
} from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express from 'express';
import { getContext } from '../conformance/conformanceBackend.mjs';

const { env } = process;
const [, , mistake = ''] = process.argv;
const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

const store = memoryOrderStore();
const secretKey = mistake === 'other-key' ? 'x'.repeat(32) : env.RAMP_SECRET_KEY;
const signer = createWidgetSigner({ partnerId: env.RAMP_PARTNER_ID, secretKey });
const print = { type: 'MINT', mintQuantity: '1', amount: '250' };

/** What each listing sells. A mistake takes terms from the page. */
function decide({ widget, proposal }) {
  if (widget === 'on-ramp')
    return {
      params: {
        walletAddress: (mistake === 'page-wallet' && proposal.walletAddress) || wallet,
        walletAddressLocked: '1',
      },
    };
  if (proposal.merchantUniqueId !== 'print-7')
    throw new RampError('ERR_POLICY_REFUSED', 'This item is not for sale.');
  return {
    params: {
      ...print,
      amount: (mistake === 'page-price' && proposal.amount) || print.amount,
      merchantUniqueId: 'print-7',
      contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
      nftNetwork: 'polygon',
      cryptoCurrency: 'POL_Polygon',
      walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
      walletAddressTag: '',
      transferWalletAddress: wallet,
    },
  };
}

const ramp = createRamp({
  apiUrl: env.RAMP_API_URL,
  partnerId: env.RAMP_PARTNER_ID,
  secretKey,
  apiPrivateKey: env.RAMP_API_PRIVATE_KEY,
  webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
  webhookUrl:
    mistake === 'other-address'
      ? `http://127.0.0.1:${env.PORT}/api/ramp/webhook`
      : env.RAMP_WEBHOOK_URL,
  store,
  allowedOrigins: env.SHOP_ORIGIN.split(','),
  allowBearer: true,
  getShopper: ({ context }) => ({ id: mistake === 'any-user' ? 'ann' : context.user }),
  policy: decide,
  deliver() {},
  review() {},
  pollSeconds: 1,
  maxPollSeconds: 1,
  onError(error) {
    // Tests cause the other errors on purpose.
    // biome-ignore lint/suspicious/noConsole: the output of the server under test
    if (error.code === 'ERR_INTERNAL') console.error(error, error.cause);
  },
});
const ownHandler = ramp.handler;

/** Responds to errors with a body of its own. */
async function handlePlainly(request, context) {
  const response = await ownHandler(request, context);
  if (response.status < 400) return response;
  return new Response('{"message":"no"}', { status: response.status, headers: response.headers });
}

/** Changes the JSON of a response. */
async function change(response, edit) {
  const body = edit(await response.json());
  return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
}

/** Changes the states of a poll. */
const changePoll = (edit) => async (request, context) => {
  const response = await ownHandler(request, context);
  if (request.method !== 'GET' || response.status !== 200) return response;
  return change(response, ({ named, ...rest }) => ({
    ...rest,
    ...(named && { named: named.map(edit) }),
  }));
};

/** Marks the checkouts that a poll names as opened. */
async function openByPoll(request) {
  for (const reference of new URL(request.url).searchParams.get('references')?.split(',') ?? [])
    await store.markOpened(reference, Math.floor(Date.now() / 1000));
}

/** Signs a checkout again without reading the order list, and with these parameters in place of its own. */
async function signAgain(request, context, changed = {}) {
  const reference = new URL(request.url).pathname.split('/').at(-2);
  const checkout = await store.findCheckout(reference);
  if (checkout?.subject !== context.user) return ownHandler(request, context);
  const { timestamp: _, nonce: __, partnerId: ___, ...terms } = checkout.params;
  // The store leaves out an empty tag, but an NFT needs one.
  const tag = checkout.widget === 'nft' && { walletAddressTag: '' };
  const { params } = signer.sign(checkout.widget, { ...tag, ...terms, ...changed, ext: reference });
  return Response.json({ reference, params }, { headers: securityHeaders });
}

let busy = 0;
const securityHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const stranger = '0x000000000000000000000000000000000000dEaD';

/** A backend without a route responds with 404. */
function refuseRoute() {
  const error = { code: 'ERR_REQUEST', message: 'This backend has no such route.' };
  return Response.json({ error }, { status: 404, headers: securityHeaders });
}

/** What a mistake does instead of the handler: by its name, and by the end of the path. */
const wrongRoutes = {
  'fewer-routes': {
    currencies: refuseRoute,
    cryptocurrencies: refuseRoute,
    quote: refuseRoute,
    continue: refuseRoute,
  },
  'poll-of-others': {
    checkouts: (request, context) =>
      ownHandler(request, request.method === 'GET' ? { user: 'ann' } : context),
  },
  'poll-first-state': {
    checkouts: changePoll((state) => ({ ...state, progress: 'waiting', orders: [] })),
  },
  'poll-wallet': { checkouts: changePoll((state) => ({ ...state, walletAddress: wallet })) },
  'poll-opens': {
    checkouts: async (request, context) => {
      await openByPoll(request);
      const headers = new Headers(request.headers);
      // Forget what the page knows, so that nothing is unchanged.
      headers.delete('if-none-match');
      return ownHandler(
        request.method === 'GET' ? new Request(request.url, { headers }) : request,
        context,
      );
    },
  },
  'continue-terms': {
    continue: (request, context) => signAgain(request, context, { walletAddress: stranger }),
  },
  'continue-new': {
    continue: (request, context) => {
      const url = new URL('/api/ramp/checkouts', request.url);
      const headers = {
        ...Object.fromEntries(request.headers),
        'content-type': 'application/json',
      };
      delete headers['content-length'];
      return ownHandler(
        new Request(url, { method: 'POST', headers, body: '{"widget":"on-ramp"}' }),
        context,
      );
    },
  },
  // No mistake: the order list could not be read in time.
  'continue-busy': {
    continue: (request, context) => {
      busy += 1;
      if (busy > 1) return ownHandler(request, context);
      const error = { code: 'ERR_API_RESPONSE', message: 'Try again.' };
      const headers = { ...securityHeaders, 'Retry-After': '1' };
      return Response.json({ error }, { status: 503, headers });
    },
  },
  'continue-of-others': { continue: (request) => ownHandler(request, { user: 'ann' }) },
  'continue-unread': { continue: (request, context) => signAgain(request, context) },
  'continue-any-origin': { continue: (request, context) => signAgain(request, context) },
  'option-alone': {
    currencies: async (request, context) =>
      change(await ownHandler(request, context), (body) => ({
        ...body,
        currencies: body.currencies.map((currency) => ({
          ...currency,
          paymentOptions: currency.paymentOptions[0],
        })),
      })),
  },
  'one-list': {
    cryptocurrencies: (request, context) =>
      ownHandler(new Request(request.url.split('?')[0], request), context),
  },
  numbers: {
    quote: async (request, context) =>
      change(await ownHandler(request, context), ({ quote, ...rest }) => ({
        ...rest,
        quote: quote && { ...quote, cryptoCurrencyAmount: Number(quote.cryptoCurrencyAmount) },
      })),
  },
  'short-digits': {
    quote: async (request, context) =>
      change(await ownHandler(request, context), ({ quote, ...rest }) => ({
        ...rest,
        quote: quote && {
          ...quote,
          cryptoCurrencyAmount: `${Number(quote.cryptoCurrencyAmount).toFixed(2)}`,
        },
      })),
  },
  'no-buy-type': {
    quote: (request, context) =>
      ownHandler(new Request(request.url.replace('&buyType=nft', ''), request), context),
  },
  'any-query': {
    quote: (request, context) =>
      ownHandler(new Request(request.url.replace(/&appId=[^&]*/, ''), request), context),
  },
  'price-errors': {
    quote: async (request, context) => {
      const response = await ownHandler(request, context);
      if (response.status !== 422 && response.status !== 503) return response;
      const error = { code: 'ERR_INTERNAL', message: 'fetch failed' };
      return Response.json({ error }, { status: 500, headers: securityHeaders });
    },
  },
};

const ends = Object.assign({}, ...mistake.split(',').map((name) => wrongRoutes[name]));
const handler =
  mistake === 'plain-errors'
    ? handlePlainly
    : (request, context) => {
        const end = new URL(request.url).pathname.split('/').at(-1);
        return (ends[end] ?? ownHandler)(request, context);
      };

const app = express().disable('x-powered-by');
if (mistake === 'redirect')
  app.use('/api/ramp/checkouts', (_, res) => res.redirect(307, `http://127.0.0.1:${env.DECOY}/`));
app.use(
  '/api/ramp',
  toExpress(handler, { context: ({ headers }) => ({ user: getContext(headers).user }) }),
);
app.listen(Number(env.PORT), '127.0.0.1');
if (mistake !== 'no-polling') ramp.start();
