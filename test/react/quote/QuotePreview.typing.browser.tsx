import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createAmountFormats } from '../../../src/client/format/createAmountFormats.js';
import type { QuotePreviewState } from '../../../src/index.js';
import {
  createQuoteResponse,
  lists,
  quoteBackend,
  respondToAll,
} from '../../support/browser/quoteBackend.js';
import {
  announcement,
  buy,
  expectState,
  field,
  hundred,
  method,
  pill,
  renderPreview,
  result,
  root,
} from '../../support/browser/quotePreviewPage.js';
import { countFormatters } from '../../support/countFormatters.js';

const button = () => root().querySelector('.ramp-button') as HTMLElement;
/** Returns the text that describes the field to a screen reader. */
const described = () =>
  document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent;

/** Records, at every DOM change, the typed amount and the price that the card shows for this amount. */
function watchPrices() {
  const seen = new Set<string>();
  const look = () => {
    const busy = /refreshing|loading/.test(root()?.dataset.state ?? '');
    if (!busy) seen.add(`${field().value} pays ${result()}`);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  return { seen, stop: () => observer.disconnect() };
}

describe('typing into <QuotePreview />', () => {
  it('never shows an old response as the present price, for any order of responses', async () => {
    const backend = quoteBackend();
    renderPreview();
    await expectState('idle');
    const { seen, stop } = watchPrices();
    const requestedAmounts = () => backend.quotes().map(({ query }) => query.currencyAmount);
    for (const [typed, all] of [
      ['2', '2'],
      ['5', '25'],
      ['0', '250'],
      ['0', '2500'],
    ] as const) {
      await userEvent.type(field(), typed);
      // The card requests no quote below the minimum of 15.
      if (Number(all) >= 15) await waitFor(() => expect(requestedAmounts()).toContain(all));
    }
    for (const { query, respond } of backend.quotes().reverse())
      respond(createQuoteResponse(query, `0.${query.currencyAmount}`));
    await expectState('success');
    await waitFor(() => expect(buy().textContent).toBe('Buy 0.25\u00a0USDT'));
    stop();
    expect(requestedAmounts()).toEqual(['25', '250', '2500']);
    expect(backend.quotes().map(({ aborted }) => aborted)).toEqual([true, true, false]);
    expect([...seen].filter((price) => !price.endsWith('–'))).toEqual(['2500 pays 0.25']);
  });

  it('renders the card once for a digit and once for its price', async () => {
    quoteBackend(respondToAll);
    // The card calls this function at each render that it reports.
    const renders = vi.fn((_: QuotePreviewState) => null);
    renderPreview({ defaultValue: hundred, children: renders });
    await expectState('success');
    renders.mockClear();
    await userEvent.type(field(), '5');
    await waitFor(() => expect(renders.mock.lastCall?.[0]).toMatchObject({ isPrevious: false }));
    const seen = renders.mock.calls.map(([{ status }]) => status);
    expect(seen).toEqual(['refreshing', 'success']);
  });

  it('creates no formatter of numbers with a digit, also with decimals, groups or a limit', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, locale: 'nl', presetAmounts: ['50', '100'] });
    await expectState('success');
    const created = countFormatters();
    for (const amount of ['1000', '1000,5', '1000,55', '9999999', '1']) {
      await userEvent.fill(field(), amount);
      await waitFor(() => expect(root().dataset.state).toMatch(/success|below|above/));
    }
    vi.unstubAllGlobals();
    expect(created).not.toHaveBeenCalled();
  });

  it('drops an old response that arrives after the new request', async () => {
    const backend = quoteBackend();
    renderPreview({ defaultValue: hundred });
    await waitFor(() => expect(backend.quotes()).toHaveLength(1));
    await userEvent.type(field(), '0');
    await waitFor(() => expect(backend.quotes()).toHaveLength(2));
    const { seen, stop } = watchPrices();
    const [old, present] = backend.quotes();
    old?.respond(createQuoteResponse(old.query, '1'));
    present?.respond(createQuoteResponse(present.query, '2'));
    await expectState('success');
    stop();
    expect([...seen]).toEqual(['1000 pays 2.00']);
  });

  it('does not show the price of the last amount for a newly typed one', async () => {
    const backend = quoteBackend();
    renderPreview({ defaultValue: hundred });
    await waitFor(() => expect(backend.quotes()).toHaveLength(1));
    const [first] = backend.quotes();
    first?.respond(createQuoteResponse(first.query, '1'));
    await expectState('success');
    const { seen, stop } = watchPrices();
    await userEvent.type(field(), '0');
    await waitFor(() => expect(backend.quotes()).toHaveLength(2));
    const [, second] = backend.quotes();
    second?.respond(createQuoteResponse(second.query, '2'));
    await expectState('success');
    stop();
    expect([...seen].filter((price) => !price.startsWith('100 '))).toEqual(['1000 pays 2.00']);
  });

  it('reports a plain decimal for any typed format', async () => {
    quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderPreview({ onValueChange, locale: 'de' });
    await expectState('idle');
    await userEvent.type(field(), '٩٩,5');
    expect(field().value).toBe('٩٩,5');
    expect(onValueChange).toHaveBeenLastCalledWith({
      amount: '99.5',
      fiatCurrency: 'USD',
      cryptoCurrencyCode: 'USDT_ERC20',
      payment: 'CREDIT_DEBIT_CARD',
    });
  });

  it.each(['-12', '1a2', '12.345', '1e3'])(
    'shows %j as typed, refuses it, and offers no price for another amount',
    async (typed) => {
      const backend = quoteBackend(respondToAll);
      const onValueChange = vi.fn();
      renderPreview({ onValueChange });
      await expectState('idle');
      await userEvent.type(field(), typed);
      expect(field().value).toBe(typed);
      expect(field().ariaInvalid).toBe('true');
      expect(described()).toBe('Write the amount like 1500.50');
      expect(button().textContent).toBe('Enter an amount');
      expect(button().getAttribute('aria-disabled')).toBe('true');
      expect(onValueChange.mock.lastCall?.[0].amount ?? '').toBe('');
      await userEvent.tab();
      expect(field().value).toBe(typed);
      await waitFor(() => expect(announcement()).toBe('Write the amount like 1500.50'));
      expect(backend.quotes()).toHaveLength(0);
    },
  );

  it.each([
    ['en', '1,500.00', '1500.00'],
    ['en', '1 500.00', '1500.00'],
    ['en', '2,500.50', '2500.50'],
    ['en', '1,500', '1500'],
    ['en', '1.500,00', '1500.00'],
    ['de', '1.500,00', '1500.00'],
    ['de', '1,500.00', '1500.00'],
    ['fr', '1\u202f500,00', '1500.00'],
    ['de-CH', '1’500.00', '1500.00'],
    ['ar-EG', '١٬٥٠٠٫٠٠', '1500.00'],
    ['hi', '1,23,456.00', '123456.00'],
    ['es', '1.500', '1500'],
  ])('in %s, buys what is typed as %j', async (locale, typed, amount) => {
    quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderPreview({ onValueChange, locale });
    await expectState('idle');
    await userEvent.type(field(), typed);
    expect(field().value).toBe(typed);
    expect(onValueChange.mock.lastCall?.[0]).toMatchObject({ amount });
    await userEvent.tab();
    expect(field().value).toBe(createAmountFormats(locale).ungrouped(amount));
  });

  it('forgets a refused text when the shopper chooses a suggested amount', async () => {
    quoteBackend(respondToAll);
    renderPreview({ presetAmounts: ['50'] });
    await expectState('idle');
    await userEvent.type(field(), '1.500');
    await userEvent.click(screen.getByRole('button', { name: /^50/ }));
    expect(field().value).toBe('50');
    expect(field().ariaInvalid).toBe('false');
  });

  it("formats the initial amount in the reader's language", async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: { amount: '1099.50' }, locale: 'de' });
    await expectState('success');
    expect(field().value).toBe('1099,50');
    expect(result()).toBe('97,09');
  });

  it('names the payment method in the announcement when another currency has replaced it', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: { amount: '100', payment: 'BANK_CARD_TRANSFER' } });
    await waitFor(() => expect(announcement()).toBe('You get: ≈ 97.09\u00a0USDT'), {
      timeout: 3000,
    });
    await userEvent.click(pill('USD'));
    await userEvent.click(screen.getByRole('option', { name: /^EUR/ }));
    await waitFor(
      () =>
        expect(announcement()).toBe(
          'Price by payment method: Credit or debit card. You get: ≈ 97.09\u00a0USDT',
        ),
      { timeout: 3000 },
    );
    // If the shopper selects a method, the screen reader reads the radio button, so the announcement does not name it.
    await userEvent.click(pill('EUR'));
    await userEvent.click(screen.getByRole('option', { name: /^USD/ }));
    await userEvent.click(method('Bank card transfer'));
    await userEvent.clear(field());
    await userEvent.type(field(), '120');
    await waitFor(() => expect(announcement()).toBe('You get: ≈ 97.09\u00a0USDT'), {
      timeout: 3000,
    });
  });

  it('announces the result once, and not each keystroke', async () => {
    quoteBackend(respondToAll);
    renderPreview();
    await expectState('idle');
    const live = document.querySelector('p.ramp-visually-hidden') as Element;
    expect(live.getAttribute('role')).toBe('status');
    const announced: (string | null)[] = [];
    const observer = new MutationObserver(() => announced.push(live.textContent));
    observer.observe(live, { childList: true, characterData: true, subtree: true });
    await userEvent.type(field(), '125');
    // The announcement comes after a pause in typing, the response, and another pause: about a second in total.
    await waitFor(() => expect(announcement()).toBe('You get: ≈ 97.09\u00a0USDT'), {
      timeout: 4000,
    });
    observer.disconnect();
    expect(announced).toEqual(['You get: ≈ 97.09\u00a0USDT']);
  });

  it('requests no quote while the currencies load, and keeps the typed amount', async () => {
    const backend = quoteBackend(() => undefined);
    renderPreview();
    await waitFor(() => expect(backend.requests).toHaveLength(2));
    await waitFor(() => expect(field()).toBeTruthy());
    await userEvent.type(field(), '100');
    expect(backend.quotes()).toHaveLength(0);
    for (const { route, respond } of backend.requests) respond(lists[route]);
    await waitFor(() => expect(backend.quotes()).toHaveLength(1));
    expect(field().value).toBe('100');
  });
});
