import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import type { CheckoutProposal, RampErrorCode } from '../../../src/index.js';
import {
  type CacheInfo,
  type CryptoCurrenciesResponse,
  type FiatCurrenciesResponse,
  isRampError,
  type QuoteResponse,
} from '../../../src/protocol/index.js';
import { cryptoIcons } from '../../../src/sandbox/catalog/icons/cryptoIcons.js';
import {
  getCryptoIconPath,
  getPaymentIconPath,
} from '../../../src/sandbox/catalog/icons/iconPaths.js';
import { paymentIcons } from '../../../src/sandbox/catalog/icons/paymentIcons.js';
import { type ErrorBody, toErrorResponse } from '../../../src/server/internal/toErrorResponse.js';
import { cryptoCurrencies, currencies, quoteFromCatalog } from './demoCatalog.js';
import { signCheckout } from './signCheckout.js';

/** What a backend's answers say of themselves, and what it lists in place of its own catalog. */
export type RampBackendOptions = Partial<
  CacheInfo &
    Pick<FiatCurrenciesResponse, 'currencies'> &
    Pick<CryptoCurrenciesResponse, 'cryptoCurrencies'>
>;

/** A route of the handler, below its base path. */
export type RampRoute = 'checkouts' | 'currencies' | 'cryptocurrencies' | 'quote';

const at = (route: RampRoute) => `*/api/ramp/${route}`;

/**
 * A partner's backend as the stories need one: every route of its HTTP contract, for MSW.
 *
 * Every story starts with `rampBackend()`. One that needs another says so first:
 *
 * @example
 * beforeEach({ msw }) { msw.use(...rampBackend({ stale: true, ageSeconds: 90 })); }
 * beforeEach({ msw }) { msw.use(...rampBackend({ currencies: [] })); }
 */
export function rampBackend(options: RampBackendOptions = {}): HttpHandler[] {
  const kept: CacheInfo = { ageSeconds: options.ageSeconds ?? 0, stale: options.stale ?? false };
  const proposals = new Map<string, CheckoutProposal>();
  return [
    http.post<never, CheckoutProposal>(at('checkouts'), ({ request }) =>
      respondWith(201, async () => {
        const proposal = await request.json();
        const signed = await signCheckout(proposal);
        proposals.set(`${signed.reference}`, proposal);
        return signed;
      }),
    ),
    http.post<{ reference: string }>('*/api/ramp/checkouts/:reference/continue', ({ params }) => {
      const proposal = proposals.get(params.reference);
      if (proposal) return respondWith(200, () => signCheckout(proposal, params.reference));
      return HttpResponse.json(
        { error: { code: 'ERR_REQUEST', message: 'None.' } },
        { status: 404 },
      );
    }),
    http.get(at('currencies'), () =>
      HttpResponse.json<FiatCurrenciesResponse>({
        currencies: options.currencies ?? currencies,
        ...kept,
      }),
    ),
    http.get(at('cryptocurrencies'), ({ request }) => {
      const buyType = new URL(request.url).searchParams.get('buyType');
      const listed = cryptoCurrencies(buyType === 'nft' ? 'nft' : 'fiat');
      return HttpResponse.json<CryptoCurrenciesResponse>({
        cryptoCurrencies: options.cryptoCurrencies ?? listed,
        ...kept,
      });
    }),
    http.get(at('quote'), ({ request: { url } }) =>
      respondWith(
        200,
        (): QuoteResponse => ({ quote: quoteFromCatalog(new URL(url).searchParams), ...kept }),
      ),
    ),
    ...iconHandlers(paymentIcons, getPaymentIconPath),
    ...iconHandlers(cryptoIcons, getCryptoIconPath),
  ];
}

/** What comes of the work, or the error in the handler's own form. */
async function respondWith(status: number, work: () => object | Promise<object>) {
  try {
    return HttpResponse.json(await work(), { status });
  } catch (error) {
    if (!isRampError(error)) throw error;
    const answer = toErrorResponse(error);
    return HttpResponse.json(answer.body, { status: answer.status });
  }
}

const iconHandlers = (drawn: ReadonlyMap<string, string>, pathOf: (name: string) => string) =>
  [...drawn].map(([name, svg]) =>
    http.get(`*${pathOf(name)}`, () =>
      HttpResponse.text(svg, { headers: { 'Content-Type': 'image/svg+xml' } }),
    ),
  );

/** Nobody answers, for as long as the story is looked at. */
export function stallRoute(route: RampRoute): HttpHandler {
  return http.all(at(route), async () => {
    await delay('infinite');
  });
}

/** The backend answers with an error. */
export function respondWithError(
  route: RampRoute,
  status: number,
  code: RampErrorCode,
  message: string,
): HttpHandler {
  return http.all(at(route), () =>
    HttpResponse.json<ErrorBody>({ error: { code, message } }, { status }),
  );
}

/** The backend cannot be reached: offline, or another origin that does not let the page in. */
export function failRoute(route: RampRoute): HttpHandler {
  return http.all(at(route), () => HttpResponse.error());
}

/** Somebody on the way puts a wallet of their own in the place of the one that was signed. */
export function tamperWithSignature(): HttpHandler {
  return http.post<never, CheckoutProposal>(at('checkouts'), async ({ request }) => {
    const signed = await signCheckout(await request.json());
    const params = { ...signed.params, walletAddress: `0x${'bad0'.repeat(10)}` };
    return HttpResponse.json({ ...signed, params }, { status: 201 });
  });
}
