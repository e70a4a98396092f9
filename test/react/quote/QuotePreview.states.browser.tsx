import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import {
  type BackendRequest,
  createQuoteResponse,
  fresh,
  lists,
  quoteBackend,
  respondToAll,
} from '../../support/browser/quoteBackend.js';
import {
  buy,
  expectState,
  field,
  hundred,
  method,
  renderPreview,
  result,
  root,
} from '../../support/browser/quotePreviewPage.js';

const note = () => document.querySelector('.ramp-quote-note')?.textContent;
const refuse =
  (code: string, status: number) =>
  ({ route, respond }: BackendRequest) =>
    lists[route] ?? void respond({ error: { code, message: 'No.' } }, status);

beforeEach(() => {
  document.documentElement.lang = 'en';
  document.title = 'Shop';
});
afterEach(() => {
  onlineManager.setOnline(true);
  document.documentElement.style.colorScheme = '';
});

/** Defines a test of a state. After `test`, the card must have no accessibility violations. */
const state = (name: string, test: () => Promise<void>) =>
  it(name, async () => {
    await test();
    expect(await findAxeViolations(root())).toEqual([]);
  });

describe('the states of <QuotePreview />', () => {
  state('loading: shows a busy skeleton and a disabled button', async () => {
    quoteBackend(() => undefined);
    renderPreview({ defaultValue: hundred });
    expect(root().dataset.state).toBe('loading');
    expect(root().getAttribute('aria-busy')).toBe('true');
    expect(buy().ariaDisabled).toBe('true');
  });

  state('idle: has no amount', async () => {
    const { quotes } = quoteBackend();
    renderPreview();
    await expectState('idle');
    expect(result()).toBe('–');
    const button = screen.getByRole('button', { name: 'Enter an amount' });
    expect(button.ariaDisabled).toBe('true');
    expect(quotes()).toHaveLength(0);
  });

  state('idle: has an amount of zero', async () => {
    quoteBackend();
    renderPreview({ defaultValue: { amount: '0.00' } });
    await expectState('idle');
  });

  state('empty: has no currencies', async () => {
    quoteBackend(({ route }) =>
      route === '/currencies' ? { currencies: [], ...fresh } : lists[route],
    );
    renderPreview({ defaultValue: hundred });
    await expectState('empty');
    expect(note()).toMatch(/No currencies are available/);
    expect(buy()).toMatchObject({ ariaDisabled: 'true', textContent: 'Buy crypto' });
  });

  state(
    'quote: shows the received amount, the unit price, and every digit of the breakdown',
    async () => {
      quoteBackend(respondToAll);
      renderPreview({ defaultValue: hundred });
      await expectState('success');
      expect(result()).toBe('97.09');
      expect(root().textContent).toContain('You get≈\u00a097.09');
      expect(root().textContent).toContain('1 USDT = 1.0032\u00a0USD');
      expect(buy()).toMatchObject({ ariaDisabled: null, textContent: 'Buy 97.09\u00a0USDT' });
      expect(document.querySelector('summary')?.innerText).toMatch(
        /Price breakdown\s+Fees 0.30\sUSD/,
      );
      await userEvent.click(screen.getByText('Price breakdown'));
      const rows = [...document.querySelectorAll('dl > div')].map((row) => row.textContent);
      expect(rows).toEqual([
        'Amount100.00\u00a0USD',
        'Network fee0.10\u00a0USD',
        'Processing fee0.20\u00a0USD',
        'Total fee0.30\u00a0USD',
        '1\u00a0USDT1.0032\u00a0USD',
        'You receive97.09\u00a0USDT',
      ]);
    },
  );

  state('quote: shows the digits that matter, and all of them in the breakdown', async () => {
    const arrives = '123456789012345678.123456789012345678';
    quoteBackend(
      ({ route, query }) =>
        lists[route] ??
        createQuoteResponse(query, arrives, { cryptoCurrencyUnitPrice: '3119.40237519' }),
    );
    renderPreview({ defaultValue: hundred });
    await expectState('success');
    expect(result()).toBe('123,456,789,012,345,678.12');
    expect(buy().textContent).toBe('Buy 123,456,789,012,345,678.12\u00a0USDT');
    expect(root().textContent).toContain('1 USDT = 3,119.40\u00a0USD');
    await userEvent.click(screen.getByText('Price breakdown'));
    const figures = [...document.querySelectorAll('dd')].map((cell) => cell.textContent);
    expect(figures.slice(-2)).toEqual([
      '3,119.40237519\u00a0USD',
      '123,456,789,012,345,678.123456789012345678\u00a0USDT',
    ]);
    expect(root().scrollWidth).toBeLessThanOrEqual(root().clientWidth);
  });

  state(
    'refreshing: keeps the last price while a new amount is quoted, but not on the button',
    async () => {
      quoteBackend(({ route, query }) =>
        query.currencyAmount === '1000' ? undefined : (lists[route] ?? createQuoteResponse(query)),
      );
      renderPreview({ defaultValue: hundred });
      await expectState('success');
      await userEvent.type(field(), '0');
      await expectState('refreshing');
      expect(result()).toBe('97.09');
      expect(root().getAttribute('aria-busy')).toBe('true');
      expect(buy().textContent).toBe('Buy USDT');
    },
  );

  state('quote: keeps its contrast in dark mode', async () => {
    quoteBackend(respondToAll);
    document.documentElement.style.colorScheme = 'dark';
    renderPreview({ defaultValue: { amount: '100', payment: 'CREDIT_DEBIT_CARD' } });
    await expectState('success');
    expect(getComputedStyle(root()).backgroundColor).toBe('rgb(22, 27, 27)');
  });

  state('stale: shows the age of the price in words', async () => {
    quoteBackend(
      ({ route, query }) =>
        lists[route] ?? { ...createQuoteResponse(query), ageSeconds: 150, stale: true },
    );
    renderPreview({ defaultValue: hundred });
    await expectState('stale');
    expect(note()).toMatch(/^Quoted [23] minutes ago\. The price may have changed\./);
    expect(result()).toBe('97.09');
    expect(buy().ariaDisabled).toBeNull();
  });

  state('below: shows the minimum of the chosen method; clicking it enters it', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({ defaultValue: { amount: '14.99', payment: 'CREDIT_DEBIT_CARD' } });
    await expectState('below');
    expect(quotes()).toHaveLength(0);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    const sentence = document.getElementById(field().getAttribute('aria-describedby') ?? '');
    expect(sentence?.textContent).toBe('At least 15\u00a0USD with this method');
    expect(buy().ariaDisabled).toBe('true');
    const description = 'At least 15\u00a0USD with this method';
    expect(screen.getByRole('button', { name: /^Buy/, description })).toBe(buy());
    await userEvent.click(screen.getByRole('button', { name: '15\u00a0USD', description }));
    expect(buy().getAttribute('aria-describedby')).toBeNull();
    expect(document.activeElement).toBe(root());
    await expectState('success');
    expect(field()).toMatchObject({ value: '15' });
    expect(quotes().map(({ query }) => query.currencyAmount)).toEqual(['15']);
  });

  state('above: shows the maximum of the chosen method', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({ defaultValue: { amount: '5000.01', payment: 'CREDIT_DEBIT_CARD' } });
    await expectState('above');
    expect(root().textContent).toContain('At most 5,000\u00a0USD with this method');
    expect(quotes()).toHaveLength(0);
    await userEvent.click(method('Bank card transfer'));
    await expectState('success');
  });

  state('below: rounds a limit with many decimals to an amount that can be paid', async () => {
    const odd = { name: 'CARD_PAYMENT', minAmount: '14.35500000', maxAmount: '20.99900000' };
    quoteBackend(({ route, query }) =>
      route === '/currencies'
        ? {
            currencies: [{ fiatCurrency: 'USD', paymentOptions: [odd] }],
            ageSeconds: 0,
            stale: false,
          }
        : (lists[route] ?? createQuoteResponse(query)),
    );
    renderPreview({ defaultValue: { amount: '14.3599' } });
    await expectState('below');
    await userEvent.click(screen.getByRole('button', { name: '14.36\u00a0USD' }));
    await expectState('success');
    await userEvent.fill(field(), '21');
    await expectState('above');
    await userEvent.click(screen.getByRole('button', { name: '20.99\u00a0USD' }));
    await expectState('success');
  });

  state('above: shows the maximum of the first method when none is chosen', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: { amount: '5000.01' } });
    await expectState('above');
    expect(method('Credit or debit card').checked).toBe(true);
    expect(root().textContent).toContain('At most 5,000\u00a0USD with this method');
  });

  state('unavailable: shows a note without a price', async () => {
    quoteBackend(refuse('ERR_QUOTE_UNAVAILABLE', 422));
    renderPreview({ defaultValue: hundred });
    await expectState('unavailable');
    expect(note()).toMatch(/No price available right now/);
    expect(buy().ariaDisabled).toBe('true');
  });

  state('offline: shows a message and resumes automatically', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred });
    await expectState('success');
    act(() => onlineManager.setOnline(false));
    await expectState('offline');
    expect(note()).toMatch(/You're offline/);
    expect(result()).toBe('97.09');
    act(() => onlineManager.setOnline(true));
    await expectState('success');
  });

  state('error: warns in development and retries the quote', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    let broken = true;
    quoteBackend((request) =>
      broken ? refuse('ERR_API_RESPONSE', 502)(request) : respondToAll(request),
    );
    renderPreview({ defaultValue: hundred });
    await expectState('error');
    expect(note()).toMatch(/could not be loaded/);
    await waitFor(() =>
      expect(warn).toHaveBeenCalledWith(
        expect.stringMatching(/^\[partner-ramp\] ERR_API_RESPONSE: No\. https:/),
      ),
    );
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(document.activeElement).toBe(root());
    await expectState('success');
    act(() => field().focus());
    expect(root().hasAttribute('tabindex')).toBe(false);
  });

  state('error: shows one message when the button reaches no backend either', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    renderPreview({ defaultValue: hundred });
    await expectState('error');
    expect(note()).toMatch(/could not be reached/);
    await userEvent.click(buy());
    const alert = await screen.findByRole('alert');
    await waitFor(() => expect(alert.textContent).toMatch(/could not be reached/));
    const shown = [...root().querySelectorAll<HTMLElement>('.ramp-quote-note, .ramp-note')].filter(
      (element) => element.checkVisibility(),
    );
    expect(shown).toEqual([alert]);
  });

  state('error: retries the currencies', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { requests } = quoteBackend(({ route, respond }) =>
      route === '/currencies'
        ? void respond({ error: { code: 'ERR_API_RESPONSE', message: 'No.' } }, 502)
        : lists[route],
    );
    renderPreview();
    await expectState('error');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(requests.map(({ route }) => route)).toHaveLength(3));
    expect(requests[2]?.route).toBe('/currencies');
  });
});
