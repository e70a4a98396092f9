import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import type { CheckoutProposal, RampErrorCode, SignedCheckout } from '../../src/index.js';
import {
  type CryptoCurrenciesAnswer,
  type FiatCurrenciesAnswer,
  isRampError,
  type Kept,
  type QuoteAnswer,
} from '../../src/protocol/index.js';
import { cryptoIcons } from '../../src/sandbox/icons/crypto-icons.js';
import { cryptoIconPath, paymentIconPath } from '../../src/sandbox/icons/icon-paths.js';
import { paymentIcons } from '../../src/sandbox/icons/payment-icons.js';
import { cryptoCurrencies, currencies, quoteFor } from './service.js';

/** What a backend's answers say of themselves, and what it lists in place of its own catalog. */
export type RampBackendOptions = Partial<
  Kept & Pick<FiatCurrenciesAnswer, 'currencies'> & Pick<CryptoCurrenciesAnswer, 'cryptoCurrencies'>
>;

/** A route of the handler, below its base path. */
export type RampRoute = 'checkouts' | 'currencies' | 'cryptocurrencies' | 'quote';

/** The body of every answer that is an error. */
interface ErrorAnswer {
  readonly error: {
    readonly code: RampErrorCode;
    readonly message: string;
  };
}

const at = (route: RampRoute) => `*/api/ramp/${route}`;

let count = 0;

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
  const kept: Kept = { ageSeconds: options.ageSeconds ?? 0, stale: options.stale ?? false };
  return [
    http.post<never, CheckoutProposal, SignedCheckout>(at('checkouts'), async ({ request }) =>
      HttpResponse.json(signed(await request.json()), { status: 201 }),
    ),
    http.get(at('currencies'), () =>
      HttpResponse.json<FiatCurrenciesAnswer>({
        currencies: options.currencies ?? currencies,
        ...kept,
      }),
    ),
    http.get(at('cryptocurrencies'), ({ request }) => {
      const buyType = new URL(request.url).searchParams.get('buyType');
      const listed = cryptoCurrencies(buyType === 'nft' ? 'nft' : 'fiat');
      return HttpResponse.json<CryptoCurrenciesAnswer>({
        cryptoCurrencies: options.cryptoCurrencies ?? listed,
        ...kept,
      });
    }),
    http.get(at('quote'), ({ request }) => {
      try {
        const quote = quoteFor(new URL(request.url).searchParams);
        return HttpResponse.json<QuoteAnswer | ErrorAnswer>({ quote, ...kept });
      } catch (error) {
        if (!isRampError(error)) throw error;
        const { code, message } = error;
        const answer = { error: { code, message } };
        return HttpResponse.json<QuoteAnswer | ErrorAnswer>(answer, { status: 422 });
      }
    }),
    ...icons(paymentIcons, paymentIconPath),
    ...icons(cryptoIcons, cryptoIconPath),
  ];
}

const icons = (drawn: ReadonlyMap<string, string>, pathOf: (name: string) => string) =>
  [...drawn].map(([name, svg]) =>
    http.get(`*${pathOf(name)}`, () =>
      HttpResponse.text(svg, { headers: { 'Content-Type': 'image/svg+xml' } }),
    ),
  );

/** Nobody answers, for as long as the story is looked at. */
export function neverAnswers(route: RampRoute): HttpHandler {
  return http.all(at(route), async () => {
    await delay('infinite');
  });
}

/** The backend answers with an error. */
export function refuses(
  route: RampRoute,
  status: number,
  code: RampErrorCode,
  message: string,
): HttpHandler {
  return http.all(at(route), () =>
    HttpResponse.json<ErrorAnswer>({ error: { code, message } }, { status }),
  );
}

/** The backend cannot be reached: offline, or another origin that does not let the page in. */
export function unreachable(route: RampRoute): HttpHandler {
  return http.all(at(route), () => HttpResponse.error());
}

/** As a backend signs: with a wallet and a reference of its own. The signature means nothing. */
function signed({ params }: CheckoutProposal): SignedCheckout {
  const reference = `story-${++count}`;
  return {
    reference,
    params: {
      ...params,
      partnerId: 'stories',
      walletAddress: '0x53e9f3b2a7c1d4e8f6a0b5c9d2e7f1a4b8c3d6e0',
      ext: reference,
      signature: 'not+a+signature=',
    },
    expiresInSeconds: 240,
  };
}
