import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addOpenedCheckout } from '../../../src/client/pageCheckouts.js';
import {
  CheckoutHistory,
  CheckoutInProgress,
  CheckoutStatus,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampProvider,
  type RampSettings,
  useCheckoutHistory,
  useCheckoutStatus,
} from '../../../src/index.js';
import { useFiatCurrencies } from '../../../src/quotes.js';
import { widgetUrl } from '../../support/browser/onRampButtonPage.js';
import { pollNow } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const api = 'https://shop.example/ramp';
const state = { reference: 'r1', widget: 'on-ramp', progress: 'waiting', orders: [] };
const fresh = { ageSeconds: 0, stale: false };
const payment = { name: 'CREDIT_DEBIT_CARD' };
const amounts = { currencyAmount: '100.00', cryptoCurrencyAmount: '0.5' };

const responses: Readonly<Record<string, () => Response>> = {
  'POST /checkouts': () =>
    Response.json({ reference: 'r1', isListed: true, params: { signature: 's' } }, { status: 201 }),
  'GET /checkouts': () =>
    Response.json({ checkouts: [{ ...state, createdAt: 1_767_225_600 }], named: [state] }),
  'POST /checkouts/r1/opened': () => new Response(null, { status: 204 }),
  'POST /checkouts/r1/continue': () =>
    Response.json({ reference: 'r1', params: { signature: 's' } }),
  'GET /currencies': () =>
    Response.json({
      currencies: [{ fiatCurrency: 'USD', paymentOptions: [payment] }],
      ...fresh,
    }),
  'GET /cryptocurrencies': () =>
    Response.json({ cryptoCurrencies: [{ cryptoCurrencyCode: 'ETH' }], ...fresh }),
  'GET /quote': () =>
    Response.json({
      quote: { fiatCurrency: 'USD', cryptoCurrencyCode: 'ETH', ...amounts },
      ...fresh,
    }),
};

/**
 * The settings of an app that signs in with a token. Its backend refuses the first request of each route with a 401,
 * and then every request with a token that it has refused. Requests that do not use the `fetch` of these settings fail.
 */
function signInAgain() {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('the global fetch was called'));
  const refused = new Set<string>();
  const routes = new Map<string, string[]>();
  let tokens = 0;
  const settings: RampSettings = {
    api,
    credentials: 'omit',
    headers: async () => ({ Authorization: `Bearer ${++tokens}` }),
    fetch: async (url, init) => {
      const route = `${init.method ?? 'GET'} ${new URL(url).pathname.replace('/ramp', '')}`;
      const token = new Headers(init.headers).get('Authorization') ?? '';
      const isFirst = !routes.has(route);
      routes.set(route, [...(routes.get(route) ?? []), token]);
      if (isFirst) refused.add(token);
      if (refused.has(token)) return new Response('Sign in again.', { status: 401 });
      return responses[route]?.() ?? new Response('', { status: 404 });
    },
  };
  return { settings, routes };
}

const Hooks = () => {
  useCheckoutStatus('r1');
  useCheckoutHistory();
  useFiatCurrencies();
  return null;
};
const clickButton = async (name: RegExp) => {
  const button = await screen.findByRole('button', { name });
  act(() => button.click());
};

const cases: readonly [string, ReactElement, readonly string[], RegExp?][] = [
  [
    'OnRampButton',
    <OnRampButton key="" onStatusChange={() => {}} />,
    ['POST /checkouts', 'POST /checkouts/r1/opened', 'GET /checkouts'],
    /Buy crypto/,
  ],
  [
    'NftCheckout',
    <NftCheckout key="" />,
    ['POST /checkouts', 'POST /checkouts/r1/opened'],
    /Buy NFT/,
  ],
  [
    'CheckoutStatus with "Continue checkout"',
    <CheckoutStatus key="" reference="r1" />,
    ['GET /checkouts', 'POST /checkouts/r1/continue'],
    /Continue checkout/,
  ],
  ['CheckoutStatus without a reference', <CheckoutStatus key="" />, ['GET /checkouts']],
  ['CheckoutHistory', <CheckoutHistory key="" />, ['GET /checkouts']],
  ['CheckoutInProgress', <CheckoutInProgress key="" />, ['GET /checkouts']],
  [
    'QuotePreview',
    <QuotePreview
      key=""
      defaultValue={{ amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'ETH' }}
    />,
    ['GET /currencies', 'GET /cryptocurrencies', 'GET /quote'],
  ],
  ['hooks', <Hooks key="" />, ['GET /checkouts', 'GET /currencies']],
];

describe.each(cases)('the fetch of RampProvider: %s', (_, element, expected, click) => {
  it('sends every request, and after a 401 once more with new headers', async () => {
    addOpenedCheckout(api, 'r1');
    const { settings, routes } = signInAgain();
    render(
      <QueryClientProvider client={new QueryClient()}>
        <RampProvider widgetUrl={widgetUrl} {...settings}>
          {element}
        </RampProvider>
      </QueryClientProvider>,
    );
    if (click) await clickButton(click);
    await waitFor(() => {
      for (const route of expected) expect(routes.get(route)?.length, route).toBeGreaterThan(1);
    });
    for (const route of expected) {
      const [first, second] = routes.get(route) ?? [];
      expect(second, `the repetition of ${route}`).not.toBe(first);
    }
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('the prop fetch', () => {
  it.each([
    ['OnRampButton', (given: RampSettings) => <OnRampButton {...given} widgetUrl={widgetUrl} />],
    ['QuotePreview', (given: RampSettings) => <QuotePreview {...given} />],
    ['CheckoutStatus', (given: RampSettings) => <CheckoutStatus {...given} reference="r1" />],
    ['CheckoutHistory', (given: RampSettings) => <CheckoutHistory {...given} />],
  ])('of %s overrides that of RampProvider, and is not an attribute', async (_, create) => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('the global fetch was called'));
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const outer = vi.fn(async () => Response.json({}));
    const own = vi.fn(async () => new Promise<never>(() => {}));
    const { container } = render(
      <QueryClientProvider client={new QueryClient()}>
        <RampProvider fetch={outer}>{create({ api, fetch: own })}</RampProvider>
      </QueryClientProvider>,
    );
    const button = screen.queryByRole('button', { name: 'Buy crypto' });
    if (button) act(() => button.click());
    await waitFor(() => expect(own).toHaveBeenCalled());
    expect(outer).not.toHaveBeenCalled();
    expect(container.querySelector('[fetch]')).toBeNull();
    expect(logged).not.toHaveBeenCalled();
  });

  it('may be another function at each render, and the latest one is called', async () => {
    const calls: string[] = [];
    const page = (name: string) => (
      <RampProvider
        api={api}
        fetch={async () => {
          calls.push(name);
          return new Response('', { status: 503 });
        }}
      >
        <CheckoutHistory />
      </RampProvider>
    );
    const { rerender } = render(page('first'));
    await waitFor(() => expect(calls).toContain('first'));
    rerender(page('second'));
    pollNow();
    await waitFor(() => expect(calls.at(-1)).toBe('second'));
    expect(calls.filter((name) => name === 'first')).toHaveLength(1);
  });
});
