import { act, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  createQuoteResponse,
  lists,
  quoteBackend,
  respondToAll,
} from '../../support/browser/quoteBackend.js';
import {
  expectState,
  renderPreview,
  result,
  root,
} from '../../support/browser/quotePreviewPage.js';

const named = {
  amount: '100',
  fiatCurrency: 'USD',
  cryptoCurrencyCode: 'USDT_ERC20',
  payment: 'CREDIT_DEBIT_CARD',
};
const { payment: _, ...withoutPayment } = named;

/** A backend that answers when the test says so, a round of requests at a time. */
function createRounds() {
  const { requests, quotes } = quoteBackend(() => undefined);
  let answered = 0;
  const answer = async () => {
    const round = requests.slice(answered).filter(({ aborted }) => !aborted);
    answered = requests.length;
    await act(async () => {
      for (const { route, query, respond } of round)
        respond(lists[route] ?? createQuoteResponse(query));
    });
    return round.map(({ route }) => route).sort();
  };
  return { requests, quotes, answer };
}

const everything = ['/cryptocurrencies', '/currencies', '/quote'];

describe('the requests of <QuotePreview />', () => {
  it.each([
    ['defaultValue', { defaultValue: named }],
    ['value', { value: named }],
    [
      'defaultValue, for a price without a method',
      { defaultValue: withoutPayment, omitPayment: true },
    ],
    [
      'the allowed currencies',
      {
        defaultValue: { amount: '100', payment: 'CREDIT_DEBIT_CARD' },
        fiatCurrency: 'EUR,USD',
        cryptoCurrency: ['ETH'],
      },
    ],
  ])('are one round if the page names everything in %s', async (_, props) => {
    const { requests, answer } = createRounds();
    renderPreview(props);
    await waitFor(() => expect(requests).toHaveLength(3));
    expect(await answer()).toEqual(everything);
    await expectState('success');
    expect(requests).toHaveLength(3);
  });

  it('are two rounds if the lists decide the payment method', async () => {
    const { requests, answer } = createRounds();
    renderPreview({ defaultValue: withoutPayment });
    await waitFor(() => expect(requests).toHaveLength(2));
    await answer();
    await waitFor(() => expect(requests).toHaveLength(3));
    expect(await answer()).toEqual(['/quote']);
    await expectState('success');
  });

  it('are not repeated when the price arrives after the lists', async () => {
    const { requests, quotes } = quoteBackend();
    renderPreview({ defaultValue: named });
    await waitFor(() => expect(root().textContent).toContain('Credit or debit card'));
    expect(root().dataset.state).toBe('loading');
    const [quote] = quotes();
    expect(quote?.aborted).toBe(false);
    quote?.respond(createQuoteResponse(quote.query));
    await expectState('success');
    expect(requests).toHaveLength(3);
  });

  it('show no price before the limits are known', async () => {
    quoteBackend(({ route, query }) =>
      route === '/quote' ? createQuoteResponse(query) : undefined,
    );
    const onQuote = vi.fn();
    renderPreview({ defaultValue: named, onQuote });
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(3));
    await act(async () => {});
    expect(root().dataset.state).toBe('loading');
    expect(root().textContent).not.toContain('97.09');
    expect(onQuote).not.toHaveBeenCalled();
  });

  it.each([
    ['an amount below the limits', { ...named, amount: '1' }, 'below'],
    ['an amount above the limits', { ...named, amount: '6000' }, 'above'],
  ] as const)('show no price of %s', async (_, defaultValue, state) => {
    quoteBackend(respondToAll);
    const onQuote = vi.fn();
    renderPreview({ defaultValue, onQuote });
    await expectState(state);
    expect(result()).toBe('–');
    expect(onQuote).not.toHaveBeenCalled();
  });

  it.each([
    ['an unknown payment method', { payment: 'CHEQUE' }, { payment: 'CREDIT_DEBIT_CARD' }],
    ['an unknown currency', { fiatCurrency: 'XTS' }, { fiatCurrency: 'USD' }],
    ['an unknown coin', { cryptoCurrencyCode: 'DOGE' }, { cryptoCurrencyCode: 'USDT_ERC20' }],
  ])('show only the price of the selection after %s', async (_, wrong, selected) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const { quotes, answer, requests } = createRounds();
    const onQuote = vi.fn();
    renderPreview({ defaultValue: { ...named, ...wrong }, onQuote });
    await waitFor(() => expect(requests).toHaveLength(3));
    await answer();
    await waitFor(() => expect(quotes()).toHaveLength(2));
    expect(quotes().at(-1)?.query).toMatchObject(selected);
    expect(root().dataset.state).toBe('loading');
    expect(result()).not.toContain('97.09');
    expect(onQuote).not.toHaveBeenCalled();
    await answer();
    await expectState('success');
    expect(onQuote).toHaveBeenCalledTimes(1);
  });

  it('asks for no price of a coin on a chain without a wallet, once the chains are known', async () => {
    const { quotes, answer, requests } = createRounds();
    renderPreview({ defaultValue: named, walletChains: ['tron'] });
    await waitFor(() => expect(requests).toHaveLength(3));
    await answer();
    await waitFor(() => expect(quotes()).toHaveLength(2));
    expect(quotes().at(-1)?.query.cryptoCurrencyCode).toBe('USDT_TRC20');
    expect(root().dataset.state).toBe('loading');
  });
});
