import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { RampProvider } from '../../../src/index.js';
import { type QuotePreviewOptions, useQuotePreview } from '../../../src/quotes.js';
import { OwnPriceForm } from '../../../stories/support/OwnPriceForm.js';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';

const createPage = () => {
  const client = new QueryClient();
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <RampProvider api="/api/ramp" widgetUrl="https://pay.example">
        {children}
      </RampProvider>
    </QueryClientProvider>
  );
};
const renderForm = (options: QuotePreviewOptions = {}) =>
  render(<OwnPriceForm {...options} />, { wrapper: createPage() });
const renderOptions = (options: QuotePreviewOptions) =>
  renderHook(() => useQuotePreview({ ...options }), { wrapper: createPage() }).result;

const becomes = (status: string) =>
  waitFor(() => expect(screen.getByRole('group').dataset.status).toBe(status));
const output = () => screen.getByRole('status').textContent;
const field = (label: string) => screen.getByLabelText<HTMLSelectElement>(label);
const choices = (label: string) => [...field(label).options].map(({ value }) => value);

afterEach(cleanup);

describe('a form of the page with useQuotePreview', () => {
  it('offers what the service sells, and shows the exact price of the selection', async () => {
    quoteBackend(respondToAll);
    renderForm({ defaultValue: { amount: '100' } });
    await becomes('success');
    expect(choices('Currency')).toEqual(['USD', 'EUR', 'GBP']);
    expect(choices('Coin')).toEqual(['USDT_ERC20', 'USDT_TRC20', 'ETH']);
    expect(choices('Payment method')).toEqual(['CREDIT_DEBIT_CARD', 'BANK_CARD_TRANSFER']);
    expect(output()).toBe('You get 97.09\u00a0USDT');
    expect(screen.getByRole('button', { name: 'Buy crypto' })).toBeTruthy();
  });

  it('changes the selection, and reports it', async () => {
    const { quotes } = quoteBackend(respondToAll);
    const onValueChange = vi.fn();
    renderForm({ defaultValue: { amount: '100', payment: 'BANK_CARD_TRANSFER' }, onValueChange });
    await becomes('success');
    await userEvent.selectOptions(field('Currency'), 'EUR');
    expect(onValueChange).toHaveBeenLastCalledWith({
      amount: '100',
      fiatCurrency: 'EUR',
      cryptoCurrencyCode: 'USDT_ERC20',
      payment: 'CREDIT_DEBIT_CARD',
    });
    await becomes('success');
    expect(choices('Payment method')).toEqual(['CREDIT_DEBIT_CARD']);
    expect(quotes().at(-1)?.query).toMatchObject({ fiatCurrency: 'EUR' });
  });

  it('knows the limits of the payment method', async () => {
    quoteBackend(respondToAll);
    renderForm({ defaultValue: { amount: '100' }, presetAmounts: ['5', '50', '6000'] });
    await becomes('success');
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      '50',
      'Buy crypto',
    ]);
    await userEvent.fill(screen.getByLabelText('Amount'), '14.5');
    await becomes('below');
    expect(output()).toBe('At least 15.00\u00a0USD');
    expect(screen.queryByRole('button', { name: 'Buy crypto' })).toBeNull();
    await userEvent.fill(screen.getByLabelText('Amount'), '5000.01');
    await becomes('above');
    await userEvent.selectOptions(field('Payment method'), 'BANK_CARD_TRANSFER');
    await becomes('success');
    await userEvent.click(screen.getByRole('button', { name: '50' }));
    await becomes('success');
  });

  it('offers only coins of the wallets, and the allowed currencies', async () => {
    quoteBackend(respondToAll);
    renderForm({
      walletChains: ['tron'],
      fiatCurrency: 'EUR,GBP',
      defaultValue: { amount: '100' },
    });
    await becomes('success');
    expect(choices('Coin')).toEqual(['USDT_TRC20']);
    expect(choices('Currency')).toEqual(['EUR', 'GBP']);
  });
});

describe('useQuotePreview', () => {
  it('returns the same lists while the shopper types', async () => {
    quoteBackend(respondToAll);
    const form = renderOptions({ defaultValue: { amount: '1' }, walletChains: ['ethereum'] });
    await waitFor(() => expect(form.current.status).toBe('below'));
    const { fiatCurrencies, cryptoCurrencies } = form.current;
    for (const amount of ['12', '123']) act(() => form.current.change({ amount }));
    expect(form.current.amount).toBe('123');
    expect(form.current.fiatCurrencies).toBe(fiatCurrencies);
    expect(form.current.cryptoCurrencies).toBe(cryptoCurrencies);
  });

  it('counts a text that is not a decimal string as no amount', async () => {
    quoteBackend(respondToAll);
    const form = renderOptions({ defaultValue: { amount: '100' } });
    await waitFor(() => expect(form.current.status).toBe('success'));
    act(() => form.current.change({ amount: '1,000' }));
    expect(form.current).toMatchObject({ status: 'idle', amount: '', data: undefined });
  });

  it('tells whether an amount would violate a limit', async () => {
    quoteBackend(respondToAll);
    const form = renderOptions({ defaultValue: { amount: '100' } });
    await waitFor(() => expect(form.current.status).toBe('success'));
    expect(form.current.findLimit('14')).toEqual({ status: 'below', limit: '15' });
    expect(form.current.findLimit('15')).toBeUndefined();
  });
});
