import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton } from '../../../src/index.js';
import { frameParams, waitForDialog } from '../../support/browser/onRampButtonPage.js';
import {
  createQuoteResponse,
  lists,
  quoteBackend,
  respondToAll,
} from '../../support/browser/quoteBackend.js';
import {
  buy,
  expectState,
  field,
  hundred,
  renderPreview,
  result,
} from '../../support/browser/quotePreviewPage.js';

const signed: Readonly<Record<string, unknown>> = { '/checkouts': { params: { signature: 's' } } };

describe('a button inside <QuotePreview />', () => {
  it('opens the widget with the selection', async () => {
    quoteBackend((request) => signed[request.route] ?? respondToAll(request));
    renderPreview({
      defaultValue: { amount: '99.50', fiatCurrency: 'EUR' },
      cryptoCurrency: 'ETH',
    });
    await expectState('success');
    await userEvent.click(buy());
    await waitForDialog();
    expect(frameParams()).toEqual({
      amount: '99.50',
      defaultFiatCurrency: 'EUR',
      cryptoCurrency: 'ETH',
      defaultCurrency: 'ETH',
      cryptoNetwork: 'ethereum_mainnet',
      signature: 's',
      windowOpen: '1',
    });
  });

  it.each(['Ethereum Mainnet', 'ethereum/mainnet', 'Ethereum&type=MINT', ''])(
    'omits the network %j of the listing, which the parameter cannot have',
    async (network) => {
      const cryptoCurrencies = [{ cryptoCurrencyCode: 'ETH', cryptoCurrency: 'ETH', network }];
      quoteBackend(
        (request) =>
          signed[request.route] ??
          (request.route === '/cryptocurrencies'
            ? { ...(lists[request.route] as object), cryptoCurrencies }
            : respondToAll(request)),
      );
      renderPreview({ defaultValue: hundred });
      await expectState('success');
      await userEvent.click(buy());
      await waitForDialog();
      expect(frameParams()).toEqual({
        amount: '100',
        defaultFiatCurrency: 'USD',
        defaultCurrency: 'ETH',
        signature: 's',
        windowOpen: '1',
      });
    },
  );

  it('offers no currency whose code the widget cannot have', async () => {
    const usd = { fiatCurrency: 'USD', name: 'US Dollar', paymentOptions: [] };
    const wrong: Readonly<Record<string, object>> = {
      '/currencies': {
        currencies: [{ ...usd, fiatCurrency: 'US Dollar' }, { ...usd, fiatCurrency: 'usd' }, usd],
      },
      '/cryptocurrencies': {
        cryptoCurrencies: ['USDT (TRC20)', 'x'.repeat(65), 'ETH'].map((cryptoCurrencyCode) => ({
          cryptoCurrencyCode,
        })),
      },
    };
    quoteBackend((request) =>
      request.route in wrong
        ? { ...(lists[request.route] as object), ...wrong[request.route] }
        : (signed[request.route] ?? respondToAll(request)),
    );
    renderPreview({ defaultValue: { ...hundred, cryptoCurrencyCode: 'USDT (TRC20)' } });
    await expectState('success');
    await userEvent.click(buy());
    await waitForDialog();
    expect(frameParams()).toMatchObject({ defaultFiatCurrency: 'USD', defaultCurrency: 'ETH' });
  });

  it('asks for an amount while there is none', async () => {
    quoteBackend(respondToAll);
    renderPreview();
    await expectState('idle');
    const button = screen.getByRole('button', { name: 'Enter an amount' });
    expect(button.ariaDisabled).toBe('true');
    await userEvent.type(field(), '100');
    await waitFor(() => expect(button.textContent).toBe('Buy 97.09\u00a0USDT'));
    expect(button.ariaDisabled).not.toBe('true');
  });

  it('overrides the selection with its own props', async () => {
    quoteBackend((request) => signed[request.route] ?? respondToAll(request));
    renderPreview({
      children: (
        <OnRampButton amount="7" defaultCurrency={undefined}>
          Buy mine
        </OnRampButton>
      ),
    });
    await expectState('idle');
    await userEvent.click(screen.getByRole('button', { name: 'Buy mine' }));
    await waitForDialog();
    expect(frameParams()).toMatchObject({
      amount: '7',
      defaultFiatCurrency: 'USD',
      defaultCurrency: 'USDT_ERC20',
    });
  });

  it('omits the quoted amount when it opens another purchase', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, children: <OnRampButton amountFixed="50" /> });
    await expectState('success');
    expect(buy().textContent).toBe('Buy crypto');
  });

  it("keeps the quoted amount when it fixes the card's own amount, and sends no other", async () => {
    quoteBackend((request) => signed[request.route] ?? respondToAll(request));
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    renderPreview({
      defaultValue: hundred,
      children: ({ selection }) => <OnRampButton amountFixed={selection?.amount} />,
    });
    await expectState('success');
    expect(buy().textContent).toMatch(/^Buy [\d.]+\sUSDT$/);
    await userEvent.click(buy());
    await waitForDialog();
    expect(frameParams()).toMatchObject({ amountFixed: '100' });
    expect(frameParams()).not.toHaveProperty('amount');
    expect(warned.mock.calls.join()).not.toContain('amountFixed');
  });

  it('stays disabled in any state when the page disables it', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, children: <OnRampButton disabled /> });
    await expectState('success');
    expect(buy().disabled).toBe(true);
  });

  it('keeps the focus when it becomes unavailable, and does not open the widget', async () => {
    quoteBackend((request) => signed[request.route] ?? respondToAll(request));
    renderPreview({ defaultValue: { amount: '14' }, children: <OnRampButton /> });
    await expectState('below');
    buy().focus();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(buy());
    expect(buy()).toMatchObject({ ariaDisabled: 'true', disabled: false });
    expect(buy().dataset.state).toBe('idle');
  });

  it('passes on the allowed networks when the network of the coin is unknown', async () => {
    quoteBackend(({ route, query }) =>
      route === '/cryptocurrencies'
        ? { cryptoCurrencies: [{ cryptoCurrencyCode: 'USDT_ERC20' }], ageSeconds: 0, stale: false }
        : (signed[route] ?? lists[route] ?? createQuoteResponse(query)),
    );
    renderPreview({ defaultValue: hundred, cryptoNetwork: ['ethereum_mainnet'] });
    await expectState('success');
    await userEvent.click(buy());
    await waitForDialog();
    expect(frameParams()).toMatchObject({ cryptoNetwork: 'ethereum_mainnet' });
  });

  it('stays mounted while the content of the card loads', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred });
    const before = buy();
    await expectState('success');
    expect(buy()).toBe(before);
  });

  it('gets only the fiat currency with buyType="nft"', async () => {
    const { requests, quotes } = quoteBackend(
      ({ route, query }) =>
        signed[route] ??
        lists[route] ??
        createQuoteResponse({ ...query, currencyAmount: '193.4' }, query.currencyAmount),
    );
    renderPreview({
      buyType: 'nft',
      defaultValue: { amount: '0.000000000000000001', cryptoCurrencyCode: 'ETH' },
    });
    await expectState('success');
    expect(requests.map(({ query }) => query.buyType)).toEqual([undefined, 'nft', 'nft']);
    expect(quotes()[0]?.query.currencyAmount).toBe('0.000000000000000001');
    expect(field().value).toBe('0.000000000000000001');
    expect(screen.getByLabelText('NFT price')).toBe(field());
    expect(result()).toBe('193.40');
    expect(buy()).toMatchObject({ ariaDisabled: null, textContent: 'Buy crypto' });
    await userEvent.click(buy());
    await waitForDialog();
    expect(frameParams()).toEqual({ defaultFiatCurrency: 'USD', signature: 's', windowOpen: '1' });
  });
});
