import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton, type QuotePreviewProps } from '../../../src/index.js';
import { frameParams, waitForDialog } from '../../support/browser/onRampButtonPage.js';
import { fresh, quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import {
  buy,
  expectState,
  hundred,
  pill,
  renderPreview,
} from '../../support/browser/quotePreviewPage.js';

/** Renders the card with a backend that records the selections it is sent. */
async function renderForWallets(props: QuotePreviewProps, cryptoCurrencies?: readonly object[]) {
  const selections: unknown[] = [];
  quoteBackend((request) => {
    if (request.route === '/checkouts') {
      selections.push(JSON.parse(request.init.body as string).selection);
      return { params: { signature: 's' } };
    }
    return cryptoCurrencies && request.route === '/cryptocurrencies'
      ? { cryptoCurrencies, ...fresh }
      : respondToAll(request);
  });
  renderPreview({ defaultValue: hundred, ...props });
  return selections;
}

/** Opens the list of cryptocurrencies, and returns their codes. */
async function listCoins(selected: string) {
  await userEvent.click(pill(selected));
  return screen.getAllByRole('option').map(({ textContent }) => textContent);
}

describe('<QuotePreview /> with walletChains', () => {
  it('offers only the coins on the chains of the user', async () => {
    await renderForWallets({ walletChains: ['ethereum', 'bitcoin'] });
    await expectState('success');
    const offered = await listCoins('USDT');
    expect(offered).toHaveLength(2);
    expect(offered.join()).not.toContain('Tron');
  });

  it('selects a coin of the user if the default one is on another chain', async () => {
    await renderForWallets({
      walletChains: ['tron'],
      defaultValue: { amount: '100', cryptoCurrencyCode: 'ETH' },
    });
    await expectState('success');
    expect(pill('USDT').textContent).toContain('Tron');
  });

  it.each([
    ['the user has no wallet', []],
    ['the service sells nothing on the chains of the user', ['dogecoin']],
  ])('offers nothing and disables the button if %s', async (_, walletChains) => {
    await renderForWallets({ walletChains });
    await expectState('empty');
    expect(buy().ariaDisabled).toBe('true');
  });

  it('offers no coin whose network is unknown', async () => {
    const coins = [
      { cryptoCurrencyCode: 'BTC' },
      { cryptoCurrencyCode: 'ETH', network: 'ethereum_mainnet' },
    ];
    await renderForWallets({ walletChains: ['ethereum', 'bitcoin', 'undefined', ''] }, coins);
    await expectState('success');
    expect(await listCoins('ETH')).toHaveLength(1);
  });

  it('finds a test network by its whole name', async () => {
    const coins = [{ cryptoCurrencyCode: 'ETH', network: 'ethereum_sepolia' }];
    await renderForWallets({ walletChains: ['ethereum'] }, coins);
    await expectState('empty');
  });

  it('opens the widget with the selected coin only, and tells the backend', async () => {
    const selections = await renderForWallets({
      walletChains: ['ethereum', 'tron'],
      cryptoCurrency: ['ETH', 'USDT_ERC20', 'USDT_TRC20'],
      fiatCurrency: 'EUR',
      defaultValue: { amount: '100', cryptoCurrencyCode: 'USDT_TRC20' },
    });
    await expectState('success');
    await userEvent.click(buy());
    await waitForDialog();
    const expected = {
      amount: '100',
      fiatCurrency: 'EUR',
      defaultFiatCurrency: 'EUR',
      cryptoCurrency: 'USDT_TRC20',
      defaultCurrency: 'USDT_TRC20',
      cryptoNetwork: 'tron_mainnet',
    };
    expect(selections.at(-1)).toEqual(expected);
    expect(frameParams()).toMatchObject(expected);
  });

  it('leaves the coins of the page as they are without the prop', async () => {
    const selections = await renderForWallets({ cryptoCurrency: ['ETH', 'USDT_ERC20'] });
    await expectState('success');
    await userEvent.click(buy());
    await waitForDialog();
    expect(selections.at(-1)).toMatchObject({ cryptoCurrency: 'ETH,USDT_ERC20' });
  });

  it('does not pass the prop to the element of the card', async () => {
    await renderForWallets({ walletChains: ['ethereum'], children: <OnRampButton /> });
    await expectState('success');
    expect(document.querySelector('[walletchains]')).toBeNull();
  });
});
