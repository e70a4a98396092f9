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

describe('<QuotePreview /> and what is chosen in it', () => {
  it('keeps it itself, from what it starts with or what the widget would start with', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderPreview({ defaultValue: hundred, onValueChange });
    await expectState('quote');
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

  it('shows what the page says, and changes when the page changes it', async () => {
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
    await expectState('quote');
    await userEvent.type(field(), '0');
    expect(onValueChange).toHaveBeenLastCalledWith({ ...value, amount: '1000' });
    expect(field().value).toBe('100');
    rerender(previewPage({ value: { ...value, amount: '1000' }, onValueChange }, client));
    expect(field().value).toBe('1000');
  });

  it('lets a page hold it in a state', async () => {
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

  it('takes the first payment method where the new currency lacks the chosen one', async () => {
    quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderPreview({ defaultValue: { ...hundred, payment: 'BANK_CARD_TRANSFER' }, onValueChange });
    await expectState('quote');
    await userEvent.click(pill('USD US'));
    await userEvent.click(await screen.findByRole('option', { name: /Euro/ }));
    expect(onValueChange.mock.lastCall?.[0]).toMatchObject({
      fiatCurrency: 'EUR',
      payment: 'CREDIT_DEBIT_CARD',
    });
  });

  it('offers what is allowed, and starts with the first of it', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({
      defaultValue: { ...hundred, fiatCurrency: 'USD' },
      fiatCurrency: 'GBP,EUR',
      cryptoCurrency: ['ETH', 'USDT_TRC20', 'USDT_ERC20'],
      cryptoNetwork: ['tron_mainnet'],
    });
    await expectState('quote');
    expect(quotes()[0]?.query).toMatchObject({
      fiatCurrency: 'GBP',
      cryptoCurrencyCode: 'USDT_TRC20',
    });
    await userEvent.click(pill('GBP'));
    await screen.findByRole('listbox');
    expect(screen.getAllByRole('option')).toHaveLength(2);
  });

  it('hands out each quote for it, and undefined once there is none', async () => {
    quoteBackend(respondToAll);
    const onQuote = vi.fn();
    renderPreview({ defaultValue: hundred, onQuote });
    await expectState('quote');
    expect(onQuote).toHaveBeenLastCalledWith(
      expect.objectContaining({ currencyAmount: '100', cryptoCurrencyAmount: '97.09000000' }),
    );
    await userEvent.fill(field(), '1');
    await expectState('below');
    expect(onQuote).toHaveBeenLastCalledWith(undefined);
  });
});

describe('<QuotePreview /> as a component', () => {
  it('passes native attributes, className, style and ref on', async () => {
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

  it('draws its root as the render prop says, and hands its state to it and to its children', async () => {
    quoteBackend(respondToAll);
    const seen: QuotePreviewState[] = [];
    renderPreview({
      defaultValue: hundred,
      render: (props, { status }) => <section {...props} title={status} />,
      children: (state) => {
        seen.push(state);
        return <b>{state.quote?.cryptoCurrencyAmount}</b>;
      },
    });
    await expectState('quote');
    expect(root().tagName).toBe('SECTION');
    expect(root().title).toBe('quote');
    expect(root().querySelector('b')?.textContent).toBe('97.09000000');
    expect(seen.at(-1)).toMatchObject({
      status: 'quote',
      selection: { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' },
    });
  });

  it('speaks the texts it is given', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, messages: german, language: 'de' });
    await expectState('quote');
    expect(screen.getByLabelText('Sie zahlen')).toBe(field());
    expect(result()).toBe('97,09');
    expect(screen.getByRole('button', { name: '97,09\u00a0USDT kaufen' })).toBeTruthy();
  });

  it('names a payment method that it does not know, and shows what is said of it', async () => {
    const odd = {
      name: 'INSTANT_PIX',
      processingTime: { text: 'at once' },
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
    expect(card.parentElement?.textContent).toContain('at once · from 5\u00a0BRL');
    const icon = card.parentElement?.querySelector('img');
    expect(icon).toMatchObject({ alt: '', referrerPolicy: 'no-referrer' });
    await waitFor(() => expect(card.parentElement?.querySelector('img')).toBeNull());
    expect(card.parentElement?.querySelector('.ramp-quote-card')).toBeTruthy();
  });

  it("uses the page's QueryClient where there is one, and one of its own elsewhere", async () => {
    const { asked } = quoteBackend(respondToAll);
    const client = new QueryClient();
    const { unmount } = renderPreview({ defaultValue: hundred }, client);
    await expectState('quote');
    const kept = () =>
      client.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'success' });
    expect(kept()).toHaveLength(3);
    unmount();
    asked.length = 0;
    const alone = <QuotePreview api="/api/alone" defaultValue={hundred} />;
    const first = render(alone);
    await waitFor(() => expect(asked).toHaveLength(2));
    first.unmount();
    expect(kept()).toHaveLength(3);
  });

  it('asks for each thing once under StrictMode, however often it renders', async () => {
    const { asked } = quoteBackend(respondToAll);
    const client = new QueryClient();
    const page = (
      <StrictMode>{previewPage({ defaultValue: hundred, children: ' ' }, client)}</StrictMode>
    );
    const { rerender } = render(page);
    for (let i = 0; i < 10; i++) rerender(page);
    await expectState('quote');
    const kept = asked.filter(({ aborted }) => !aborted).map(({ route }) => route);
    expect(kept.sort()).toEqual(['/cryptocurrencies', '/currencies', '/quote']);
  });

  it('counts down to the next quote by the stylesheet, and stands still where motion is unwanted', async () => {
    const reduce = (value: string) =>
      cdp().send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-reduced-motion', value }],
      });
    await reduce('no-preference');
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, refreshSeconds: 20 });
    await expectState('quote');
    const ring = document.querySelector('.ramp-quote-ring') as Element;
    expect(ring.getAttribute('aria-hidden')).toBe('true');
    const [animation] = ring.getAnimations({ subtree: true });
    expect(animation?.effect?.getComputedTiming().duration).toBe(20_000);
    await reduce('reduce');
    expect(root().getAnimations({ subtree: true })).toEqual([]);
  });
});
