import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { OnRampButton, QuotePreview, RampProvider } from '../../../src/index.js';
import { messages as arabic } from '../../../src/messages/ar.js';
import { messages as german } from '../../../src/messages/de.js';

const card = { name: 'CREDIT_DEBIT_CARD' };
const fresh = { ageSeconds: 0, stale: false };

/** Two shops on one page, each with its own backend. */
const shops = {
  north: { fiat: 'EUR', coin: 'ETH', arrives: '0.5', language: 'de', messages: german },
  south: { fiat: 'AED', coin: 'BTC', arrives: '0.25', language: 'ar', messages: arabic },
} as const;
type Name = keyof typeof shops;

function answer(name: Name, path: string): unknown {
  const { fiat, coin, arrives } = shops[name];
  if (path === '/currencies')
    return { currencies: [{ fiatCurrency: fiat, paymentOptions: [card] }], ...fresh };
  if (path === '/cryptocurrencies')
    return { cryptoCurrencies: [{ cryptoCurrencyCode: coin }], ...fresh };
  if (path === '/checkouts')
    return { reference: name, params: { partnerId: name, walletAddress: name, signature: name } };
  const quote = { fiatCurrency: fiat, currencyAmount: '100.00', cryptoCurrencyCode: coin };
  return { quote: { ...quote, cryptoCurrencyAmount: arrives }, ...fresh };
}

const shop = (name: Name) => {
  const { language, messages } = shops[name];
  const origin = `https://${name}.example`;
  return (
    <section data-testid={name} lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
      <RampProvider
        widgetUrl={origin}
        api={`${origin}/ramp`}
        language={language}
        messages={messages}
      >
        <QuotePreview defaultValue={{ amount: '100' }}>
          <OnRampButton />
        </QuotePreview>
      </RampProvider>
    </section>
  );
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  ['north', 'south'],
  ['south', 'north'],
] as const)('two providers on one page do not share data: %s, then %s', async (...names) => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { hostname, pathname } = new URL(`${input}`);
    const name = hostname.split('.')[0] as Name;
    return Response.json(answer(name, pathname.replace('/ramp', '')), { status: 200 });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      {shop('north')}
      {shop('south')}
    </QueryClientProvider>,
  );
  for (const name of names) {
    const { fiat, coin, arrives, language, messages } = shops[name];
    const there = within(screen.getByTestId(name));
    const amount = `${new Intl.NumberFormat(language).format(+arrives)}\u00a0${coin}`;
    const button = await there.findByRole('button', {
      name: messages.buyAmount.replace('{amount}', amount),
    });
    expect(there.getByRole('group', { name: messages.preview }).textContent).toContain(fiat);
    act(() => button.click());
    await waitFor(() => expect(document.querySelector('dialog[open] iframe')).not.toBeNull());
    const dialog = document.querySelector('dialog') as HTMLDialogElement;
    expect([dialog.lang, dialog.dir]).toEqual([language, language === 'ar' ? 'rtl' : 'ltr']);
    expect(dialog.getAttribute('aria-label')).toBe(messages.checkout);
    const { origin, searchParams } = new URL(dialog.querySelector('iframe')?.src ?? '');
    expect(origin).toBe(`https://${name}.example`);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      partnerId: name,
      walletAddress: name,
      signature: name,
      language,
      defaultFiatCurrency: fiat,
      defaultCurrency: coin,
    });
    act(() => dialog.querySelector<HTMLElement>('.ramp-bar-close')?.click());
    await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
    expect(document.activeElement).toBe(button);
  }
  // Each of the two backends received each of its four requests only once.
  const urls = fetched.mock.calls.map(([input]) => `${input}`);
  expect(urls).toHaveLength(8);
  expect(new Set(urls).size).toBe(8);
});
