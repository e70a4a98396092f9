import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import type { CheckoutProposal } from '../src/index.js';
import {
  type CacheInfo,
  type CryptoCurrenciesResponse,
  type FiatCurrenciesResponse,
  isRampError,
  type QuoteResponse,
} from '../src/protocol/index.js';
import {
  cryptoIcons,
  getCryptoIconPath,
  getPaymentIconPath,
  paymentIcons,
} from '../src/sandbox/catalog/icons.js';
import { type ErrorBody, toErrorResponse } from '../src/server/internal/errorResponses.js';
import { cryptoCurrencies, currencies, quoteFromCatalog } from './demoCatalog.js';
import { signCheckout } from './signCheckout.js';

/** What the backend serves. By default the responses are fresh, and the lists are those of the sandbox. */
export type RampBackendOptions = Partial<
  CacheInfo &
    Pick<FiatCurrenciesResponse, 'currencies'> &
    Pick<CryptoCurrenciesResponse, 'cryptoCurrencies'>
>;

/** A route of the ramp handler, below `/api/ramp/`. */
export type RampRoute = 'checkouts' | 'currencies' | 'cryptocurrencies' | 'quote';

const at = (route: RampRoute) => `*/api/ramp/${route}`;

/**
 * Creates a partner's backend for the stories: MSW handlers that sign and continue checkouts, and serve currencies,
 * quotes and icons, but not the status of checkouts. Every story uses `rampBackend()` unless the story overrides it.
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

/** Responds with the result of the work. If the work throws a RampError, responds as the ramp handler does. */
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

export function stallRoute(route: RampRoute): HttpHandler {
  return http.all(at(route), async () => {
    await delay('infinite');
  });
}

export function respondWithError(
  route: RampRoute,
  status: number,
  code: ErrorBody['error']['code'],
  message: string,
): HttpHandler {
  return http.all(at(route), () =>
    HttpResponse.json<ErrorBody>({ error: { code, message } }, { status }),
  );
}

/** Creates a route on which `fetch` rejects, as it does offline, or when CORS does not allow the page. */
export function failRoute(route: RampRoute): HttpHandler {
  return http.all(at(route), () => HttpResponse.error());
}

/** Creates a route whose responses have another wallet than the signed one, as if an attacker had changed it. */
export function tamperWithSignature(): HttpHandler {
  return http.post<never, CheckoutProposal>(at('checkouts'), async ({ request }) => {
    const signed = await signCheckout(await request.json());
    const params = { ...signed.params, walletAddress: `0x${'bad0'.repeat(10)}` };
    return HttpResponse.json({ ...signed, params }, { status: 201 });
  });
}
