import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import type { CheckoutProposal, RampErrorCode } from '../../../src/index.js';
import {
  type CacheInfo,
  type CryptoCurrenciesResponse,
  type FiatCurrenciesResponse,
  isRampError,
  type QuoteResponse,
} from '../../../src/protocol/index.js';
import {
  cryptoIcons,
  getCryptoIconPath,
  getPaymentIconPath,
  paymentIcons,
} from '../../../src/sandbox/catalog/icons.js';
import { type ErrorBody, toErrorResponse } from '../../../src/server/internal/errorResponses.js';
import { cryptoCurrencies, currencies, quoteFromCatalog } from './demoCatalog.js';
import { signCheckout } from './signCheckout.js';

/** The cache information of a backend's responses, and lists that replace its catalog. */
export type RampBackendOptions = Partial<
  CacheInfo &
    Pick<FiatCurrenciesResponse, 'currencies'> &
    Pick<CryptoCurrenciesResponse, 'cryptoCurrencies'>
>;

/** A route of the handler, relative to its base path. */
export type RampRoute = 'checkouts' | 'currencies' | 'cryptocurrencies' | 'quote';

const at = (route: RampRoute) => `*/api/ramp/${route}`;

/**
 * Creates a partner's backend for the stories: MSW handlers for every route of the HTTP contract.
 *
 * Every story uses `rampBackend()` by default. A story can override it:
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

/** Responds with the result of the work, or with its error in the handler's format. */
async function respondWith(status: number, work: () => object | Promise<object>) {
  try {
    return HttpResponse.json(await work(), { status });
  } catch (error) {
    if (!isRampError(error)) throw error;
    const errorResponse = toErrorResponse(error);
    return HttpResponse.json(errorResponse.body, { status: errorResponse.status });
  }
}

const iconHandlers = (drawn: ReadonlyMap<string, string>, pathOf: (name: string) => string) =>
  [...drawn].map(([name, svg]) =>
    http.get(`*${pathOf(name)}`, () =>
      HttpResponse.text(svg, { headers: { 'Content-Type': 'image/svg+xml' } }),
    ),
  );

/** Creates a route that never responds. */
export function stallRoute(route: RampRoute): HttpHandler {
  return http.all(at(route), async () => {
    await delay('infinite');
  });
}

/** Creates a route that responds with an error. */
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

/** Creates an unreachable route: offline, or another origin that does not allow the page (CORS). */
export function failRoute(route: RampRoute): HttpHandler {
  return http.all(at(route), () => HttpResponse.error());
}

/** Creates a route that simulates an attacker in the network who replaces the signed wallet. */
export function tamperWithSignature(): HttpHandler {
  return http.post<never, CheckoutProposal>(at('checkouts'), async ({ request }) => {
    const signed = await signCheckout(await request.json());
    const params = { ...signed.params, walletAddress: `0x${'bad0'.repeat(10)}` };
    return HttpResponse.json({ ...signed, params }, { status: 201 });
  });
}
