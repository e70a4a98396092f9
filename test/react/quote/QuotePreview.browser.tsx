import { QueryClient } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { createRef, StrictMode, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { QuotePreview, type QuotePreviewState, type QuoteSelection } from '../../../src/index.js';
import { messages as german } from '../../../src/messages/de.js';
import {
  createQuoteResponse,
  lists,
  quoteBackend,
  respondToAll,
} from '../../support/browser/quoteBackend.js';
import {
  expectState,
  field,
  hundred,
  method,
  pill,
  previewPage,
  renderPreview,
  result,
  root,
} from '../../support/browser/quotePreviewPage.js';

describe('the selection of <QuotePreview />', () => {
  it('is uncontrolled by default, with defaultValue or the defaults of the widget', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderPreview({ defaultValue: hundred, onValueChange });
    await expectState('success');
    expect(onValueChange).not.toHaveBeenCalled();
    expect(quotes()[0]?.query).toEqual({
      currencyAmount: '100',
      fiatCurrency: 'USD',
      cryptoCurrencyCode: 'USDT_ERC20',
      payment: 'CREDIT_DEBIT_CARD',
    });
    expect(method('Credit or debit card').checked).toBe(true);
    await userEvent.click(method('Bank card transfer'));
    expect(onValueChange).toHaveBeenLastCalledWith({
      amount: '100',
      fiatCurrency: 'USD',
      cryptoCurrencyCode: 'USDT_ERC20',
      payment: 'BANK_CARD_TRANSFER',
    });
    expect(method('Bank card transfer').checked).toBe(true);
  });

  it('requests prices without the payment method with omitPayment, but checks its limits', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, omitPayment: true });
    await expectState('success');
    expect(quotes()[0]?.query).not.toHaveProperty('payment');
    await userEvent.click(method('Bank card transfer'));
    expect(method('Bank card transfer').checked).toBe(true);
    await userEvent.fill(field(), '1');
    await expectState('below');
    for (const { query } of quotes()) expect(query).not.toHaveProperty('payment');
  });

  it.each([
    ['Bank Transfer', 'Bank Transfer'],
    ['Visa & Mastercard', undefined],
  ])('requests the price of the payment method %s with payment %s', async (name, payment) => {
    const { quotes } = quoteBackend(({ route, query }) =>
      route === '/currencies'
        ? {
            currencies: [{ fiatCurrency: 'USD', paymentOptions: [{ name }] }],
            ageSeconds: 0,
            stale: false,
          }
        : (lists[route] ?? createQuoteResponse(query)),
    );
    renderPreview({ defaultValue: hundred });
    await expectState('success');
    expect(quotes()[0]?.query.payment).toBe(payment);
  });

  it('is controlled by value, and changes with it', async () => {
    quoteBackend(respondToAll);
    const value = {
      amount: '100',
      fiatCurrency: 'USD',
      cryptoCurrencyCode: 'ETH',
      payment: 'BANK_CARD_TRANSFER',
    };
    const onValueChange = vi.fn();
    const client = new QueryClient();
    const { rerender } = renderPreview({ value, onValueChange }, client);
    await expectState('success');
    await userEvent.type(field(), '0');
    expect(onValueChange).toHaveBeenLastCalledWith({ ...value, amount: '1000' });
    expect(field().value).toBe('100');
    rerender(previewPage({ value: { ...value, amount: '1000' }, onValueChange }, client));
    expect(field().value).toBe('1000');
  });

  it('can be stored in the state of a page', async () => {
    quoteBackend(respondToAll);
    const Page = () => {
      const [value, setValue] = useState<QuoteSelection>({
        amount: '50',
        fiatCurrency: 'USD',
        cryptoCurrencyCode: 'ETH',
      });
      return previewPage({ value, onValueChange: setValue });
    };
    render(<Page />);
    await waitFor(() => expect(field().value).toBe('50'));
    await userEvent.type(field(), '.5');
    expect(field().value).toBe('50.5');
  });

  it('falls back to the first payment method when a new currency lacks the chosen one', async () => {
    quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderPreview({ defaultValue: { ...hundred, payment: 'BANK_CARD_TRANSFER' }, onValueChange });
    await expectState('success');
    await userEvent.click(pill('USD US'));
    await userEvent.click(await screen.findByRole('option', { name: /Euro/ }));
    expect(onValueChange.mock.lastCall?.[0]).toMatchObject({
      fiatCurrency: 'EUR',
      payment: 'CREDIT_DEBIT_CARD',
    });
  });

  it('is limited to the allowed currencies, and starts with the first of them', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({
      defaultValue: { ...hundred, fiatCurrency: 'USD' },
      fiatCurrency: 'GBP,EUR',
      cryptoCurrency: ['ETH', 'USDT_TRC20', 'USDT_ERC20'],
      cryptoNetwork: ['tron_mainnet'],
    });
    await expectState('success');
    expect(quotes()[0]?.query).toMatchObject({
      fiatCurrency: 'GBP',
      cryptoCurrencyCode: 'USDT_TRC20',
    });
    await userEvent.click(pill('GBP'));
    await screen.findByRole('listbox');
    expect(screen.getAllByRole('option')).toHaveLength(2);
  });

  it('reports each quote to onQuote, and undefined without one', async () => {
    quoteBackend(respondToAll);
    const onQuote = vi.fn();
    renderPreview({ defaultValue: hundred, onQuote });
    await expectState('success');
    expect(onQuote).toHaveBeenLastCalledWith(
      expect.objectContaining({ currencyAmount: '100', cryptoCurrencyAmount: '97.09000000' }),
    );
    await userEvent.fill(field(), '1');
    await expectState('below');
    expect(onQuote).toHaveBeenLastCalledWith(undefined);
  });
});

describe('<QuotePreview /> as a React component', () => {
  it('passes on native attributes, className, style and ref', async () => {
    quoteBackend(respondToAll);
    const ref = createRef<HTMLDivElement>();
    render(
      <QuotePreview
        api="/api/ramp"
        ref={ref}
        id="price"
        className="mine"
        style={{ color: 'red' }}
        aria-label="Top up"
        data-x="1"
      />,
    );
    const group = screen.getByRole('group', { name: 'Top up' });
    expect(ref.current).toBe(group);
    expect(group).toMatchObject({ id: 'price', className: 'ramp-quote mine' });
    expect(group.style.color).toBe('red');
    expect(group.dataset.x).toBe('1');
    await expectState('idle');
  });

  it('renders the element of its render prop, and passes its state to it and to its children', async () => {
    quoteBackend(respondToAll);
    const seen: QuotePreviewState[] = [];
    renderPreview({
      defaultValue: hundred,
      render: (props, { status }) => <section {...props} title={status} />,
      children: (state) => {
        seen.push(state);
        return <b>{state.data?.cryptoCurrencyAmount}</b>;
      },
    });
    await expectState('success');
    expect(root().tagName).toBe('SECTION');
    expect(root().title).toBe('success');
    expect(root().querySelector('b')?.textContent).toBe('97.09000000');
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      selection: { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' },
    });
  });

  it('shows the given messages', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, messages: german, language: 'de' });
    await expectState('success');
    expect(screen.getByLabelText('Sie zahlen')).toBe(field());
    expect(result()).toBe('97,09');
    expect(screen.getByRole('button', { name: '97,09\u00a0USDT kaufen' })).toBeTruthy();
  });

  it('formats the name of an unknown payment method, and shows its details', async () => {
    const odd = {
      name: 'INSTANT_PIX',
      processingTime: { text: 'instant' },
      minAmount: '5',
      icon: '/gone.png',
    };
    quoteBackend(({ route, query }) =>
      route === '/currencies'
        ? {
            currencies: [{ fiatCurrency: 'BRL', paymentOptions: [odd] }],
            ageSeconds: 0,
            stale: false,
          }
        : (lists[route] ?? createQuoteResponse(query)),
    );
    renderPreview();
    const card = await screen.findByText('Instant PIX');
    expect(card.parentElement?.textContent).toContain('instant · from 5\u00a0BRL');
    const icon = card.parentElement?.querySelector('img');
    expect(icon).toMatchObject({ alt: '', referrerPolicy: 'no-referrer' });
    await waitFor(() => expect(card.parentElement?.querySelector('img')).toBeNull());
    expect(card.parentElement?.querySelector('.ramp-quote-card')).toBeTruthy();
  });

  it("uses the page's QueryClient if there is one, else a separate one", async () => {
    quoteBackend(respondToAll);
    const client = new QueryClient();
    const { unmount } = renderPreview({ defaultValue: hundred }, client);
    await expectState('success');
    const kept = () =>
      client.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'success' });
    expect(kept()).toHaveLength(3);
    unmount();
    const alone = render(<QuotePreview api="/api/other" defaultValue={hundred} />);
    await waitFor(() => expect(root().dataset.state).not.toBe('loading'));
    alone.unmount();
    expect(kept()).toHaveLength(3);
  });

  it('sends each request once under StrictMode, for many renders', async () => {
    const { requests } = quoteBackend(respondToAll);
    const client = new QueryClient();
    const page = (
      <StrictMode>{previewPage({ defaultValue: hundred, children: ' ' }, client)}</StrictMode>
    );
    const { rerender } = render(page);
    for (let i = 0; i < 10; i++) rerender(page);
    await expectState('success');
    const kept = requests.filter(({ aborted }) => !aborted).map(({ route }) => route);
    expect(kept.sort()).toEqual(['/cryptocurrencies', '/currencies', '/quote']);
  });

  it('counts down to the next quote with CSS, without animation for reduced motion', async () => {
    const reduce = (value: string) =>
      cdp().send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-reduced-motion', value }],
      });
    await reduce('no-preference');
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, refreshSeconds: 20 });
    await expectState('success');
    const ring = document.querySelector('.ramp-quote-ring') as Element;
    expect(ring.getAttribute('aria-hidden')).toBe('true');
    const [animation] = ring.getAnimations({ subtree: true });
    expect(animation?.effect?.getComputedTiming().duration).toBe(20_000);
    await reduce('reduce');
    expect(root().getAnimations({ subtree: true })).toEqual([]);
  });
});
