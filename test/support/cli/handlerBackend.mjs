// The package's own handler in Express, as a backend under test of `partner-ramp conformance`. The first argument plants
// a mistake.
import * as ramp from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express from 'express';
import { createBackend, getContext } from '../server/conformanceBackend.mjs';

const { env } = process;
const [, , mistake] = process.argv;
const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

const store = ramp.memoryOrderStore();
const api = ramp.createPartnerApi({
  baseUrl: env.RAMP_API_URL,
  partnerId: env.RAMP_PARTNER_ID,
  privateKey: env.RAMP_API_PRIVATE_KEY,
});
const tracker = ramp.createOrderTracker({
  api,
  store,
  onOrderChange: () => {},
  pollSeconds: 1,
  maxPollSeconds: 1,
});
const signer = ramp.createWidgetSigner({
  partnerId: env.RAMP_PARTNER_ID,
  secretKey: mistake === 'other-key' ? 'x'.repeat(32) : env.RAMP_SECRET_KEY,
});
const print = { type: 'MINT', mintQuantity: '1', amount: '250' };

/** What each listing sells. A mistake takes terms from the page. */
function decide({ widget, proposal, context }) {
  if (!context.user) throw new ramp.RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
  if (widget === 'on-ramp')
    return {
      params: {
        walletAddress: (mistake === 'page-wallet' && proposal.walletAddress) || wallet,
        walletAddressLocked: '1',
      },
      subject: context.user,
    };
  if (proposal.merchantUniqueId !== 'print-7')
    throw new ramp.RampError('ERR_POLICY_REFUSED', 'This item is not for sale.');
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
    subject: context.user,
  };
}

const ownHandler = createBackend(env, {
  store,
  api,
  tracker,
  signer,
  policy: decide,
  ...(mistake === 'any-user' && { getSubject: () => 'ann' }),
  ...(mistake === 'other-address' && {
    webhooks: ramp.createWebhookVerifier({
      publicKey: env.RAMP_WEBHOOK_PUBLIC_KEY,
      url: `http://127.0.0.1:${env.PORT}/api/ramp/webhook`,
      replays: store,
    }),
  }),
});

/** Responds to errors with a body of its own. */
async function handlePlainly(request, context) {
  const response = await ownHandler(request, context);
  if (response.status < 400) return response;
  return new Response('{"message":"no"}', { status: response.status, headers: response.headers });
}
const handler = mistake === 'plain-errors' ? handlePlainly : ownHandler;

const app = express().disable('x-powered-by');
if (mistake === 'redirect')
  app.use('/api/ramp/checkouts', (_, res) => res.redirect(307, `http://127.0.0.1:${env.DECOY}/`));
app.use(
  '/api/ramp',
  toExpress(handler, { context: ({ headers }) => ({ user: getContext(headers).user }) }),
);
app.listen(Number(env.PORT), '127.0.0.1');
if (mistake !== 'no-polling') tracker.start();
