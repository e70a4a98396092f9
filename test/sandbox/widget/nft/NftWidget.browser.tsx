import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { marketListing, mintListing } from '../../../support/sandbox/nftListings.js';
import {
  clickButton,
  expectState,
  field,
  getDescription,
  getOptions,
  root,
} from '../renderOnRampWidget.js';
import { priceOutput, renderNftWidget, submit, waitForPrice } from './renderNftWidget.js';

const email = 'ann@shop.example';
const text = () => root().textContent ?? '';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

describe('NftWidget with an NFT for sale', () => {
  it('completes a purchase by keyboard, and announces each screen', async () => {
    const local = renderNftWidget(marketListing);
    expect(root().dataset.widget).toBe('nft');
    expect(document.title).toBe('Buy NFT');
    expect(document.activeElement).toBe(document.body);
    await waitForPrice();
    for (const words of [
      'Token 17',
      'Polygon',
      `Contract ${marketListing.contractAddress}`,
      `Sold by ${marketListing.ownerWalletAddress}.`,
      `Sent to ${marketListing.transferWalletAddress} after payment.`,
      'Price0.05ETH',
    ])
      expect(text()).toContain(words);
    const paid = priceOutput().textContent;
    expect(paid).toMatch(/^1[56]\d\.\d\d$/);
    for (const stop of ['Copy the contract address', 'Payment currency', 'Continue']) {
      await userEvent.tab();
      expect(document.activeElement).toBe(
        screen.queryByRole('button', { name: stop }) ?? screen.getByRole('combobox'),
      );
    }
    await userEvent.keyboard('{Enter}');
    const payment = await screen.findByRole('heading', { name: 'Payment' });
    expect(document.activeElement).toBe(payment);
    await userEvent.tab();
    expect(document.activeElement).toBe(field('E-mail'));
    await userEvent.keyboard(`${email}{Enter}`);
    await expectState('paying');
    expect(document.activeElement).toBe(
      screen.getByRole('heading', { name: 'Payment in progress' }),
    );
    expect(screen.getByRole('status').textContent).toBe('Transferring to the wallet');
    local.step('sending');
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('Confirming on the network'),
    );
    expect(text()).toContain('Transferred to the wallet');
    local.step('finished');
    await expectState('finished');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payment complete' }));
    for (const words of [
      'Token 17 is in the wallet.',
      `You paid${paid} USD`,
      'Price0.05 ETH',
      `Wallet address${marketListing.transferWalletAddress}`,
      `0x${'ab'.repeat(32)}`,
    ])
      expect(text()).toContain(words);
    expect(local.orders).toHaveLength(1);
  });

  it('pays once when Pay is pressed twice', async () => {
    const local = renderNftWidget({ ...marketListing, email });
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    await userEvent.dblClick(screen.getByRole('button', { name: /^Pay 1[56]\d\.\d\d USD$/ }));
    await expectState('paying');
    expect(local.orders).toHaveLength(1);
  });

  it('continues when the price arrives, if Continue was pressed before', async () => {
    renderNftWidget(marketListing);
    fireEvent.submit(root().querySelector('form') as Element);
    await screen.findByRole('heading', { name: 'Payment' });
  });
});

describe('NftWidget with a minted NFT', () => {
  it('completes a purchase of several items at one price', async () => {
    const local = renderNftWidget({ ...mintListing, email });
    await waitForPrice();
    expect(text()).toContain('Mint 3');
    expect(text()).toContain(`Minted to ${mintListing.transferWalletAddress} after payment.`);
    expect(text()).not.toContain('Sold by');
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    expect(text()).toContain('NFT × 3');
    await submit();
    await expectState('paying');
    expect(screen.getByRole('status').textContent).toBe('Minting');
    local.step('sending');
    await waitFor(() => expect(text()).toContain('Minted'));
    local.step('finished');
    await expectState('finished');
    expect(text()).toContain('Minted to the wallet: 3.');
    expect(text()).toContain('Arbitrum');
  });
});

describe('The price in NftWidget', () => {
  it('is shown with all its digits', () => {
    renderNftWidget({ ...marketListing, amount: '0.123456789012345678' });
    expect(text()).toContain('0.123456789012345678');
  });

  it('is requested again after a change of the currency', async () => {
    renderNftWidget({ ...marketListing, fiatCurrency: 'EUR,JPY', defaultFiatCurrency: 'JPY' });
    await waitForPrice();
    expect(getOptions('Payment currency')).toEqual(['EUR', 'JPY']);
    expect(priceOutput().textContent).toMatch(/^2\d,\d{3}$/);
    expect(text()).toMatch(/Total fee[\d,]+ JPY/);
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Payment currency' }),
      'EUR',
    );
    await waitFor(() => expect(priceOutput().textContent).toMatch(/^1\d\d\.\d\d$/));
    expect(text()).toMatch(/1 ETH = 2,\d{3}\.\d\d EUR/);
    await clickButton('Continue');
    await screen.findByRole('button', { name: /^Pay 1\d\d\.\d\d EUR$/ });
  });

  it.each([
    ['0.0001', 'The minimum card payment is 15.00 USD.'],
    ['2', 'The maximum card payment is 5,000.00 USD.'],
  ])('of %s shows why it is outside the limits, and blocks the purchase', async (amount, words) => {
    const local = renderNftWidget({ ...marketListing, amount });
    await waitForPrice();
    expect(screen.getByRole('alert').textContent).toContain(words);
    expect(getDescription(screen.getByRole('combobox'))).toContain(words);
    await clickButton('Continue');
    expect(root().dataset.step).toBe('offer');
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
    expect(local.orders).toHaveLength(0);
  });

  it('is refreshed on the button, and not requested after the payment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const local = renderNftWidget({ ...marketListing, amount: '1', email });
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    await pass(1000);
    fireEvent.submit(root().querySelector('form') as Element);
    await pass(0);
    const button = () => root().querySelector('[type=submit]')?.textContent;
    const before = button();
    expect(before).toMatch(/^Pay 3,\d{3}\.\d\d USD$/);
    local.later(60_000);
    await pass(10_000);
    expect(button()).toMatch(/^Pay 3,\d{3}\.\d\d USD$/);
    expect(button()).not.toBe(before);
    fireEvent.submit(root().querySelector('form') as Element);
    await pass(0);
    expect(root().dataset.state).toBe('paying');
    const quoteCount = local.countQuotes();
    await pass(10_000);
    expect(local.countQuotes()).toBe(quoteCount);
  });
});

describe('Errors in NftWidget', () => {
  it('are shown at their field, which receives the focus', async () => {
    renderNftWidget(marketListing);
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    await submit();
    expect(document.activeElement).toBe(field('E-mail'));
    expect(getDescription(field('E-mail'))).toContain('Enter an e-mail address');
    await clickButton('Back');
    await screen.findByRole('heading', { name: 'Buy NFT' });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Buy NFT' }));
  });

  it.each([
    [409, 'This checkout is already paid.'],
    [404, 'This checkout has ended.'],
    [0, 'The service cannot be reached.'],
  ])('explain status %s', async (status, words) => {
    const local = renderNftWidget({ ...marketListing, email });
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    local.fail(status);
    await submit();
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(root().dataset.state).toBe('form');
  });

  it('replace the form if no payment currency is available', () => {
    renderNftWidget({ ...marketListing, fiatCurrency: 'XXX' });
    expect(root().dataset.state).toBe('refused');
    expect(screen.getByRole('heading', { name: 'This purchase is not available' })).toBeDefined();
  });
});

describe('NftWidget with a paid URL', () => {
  const bought = {
    orderId: 'order-0',
    payTime: 1_986_217_096,
    fiatCurrency: 'JPY',
    currencyAmount: '24500',
    cryptoCurrencyCode: 'ETH',
    cryptoCurrencyAmount: '0.050',
  } as const;

  it('shows the receipt without moving the focus', async () => {
    const local = renderNftWidget(
      { ...marketListing, fiatCurrency: 'USD' },
      { ...bought, step: 'finished', finishTime: 1_986_217_099, txHash: `0x${'cd'.repeat(32)}` },
    );
    expect(root().dataset.state).toBe('finished');
    expect(text()).toContain('24,500 JPY');
    expect(text()).toContain(`0x${'cd'.repeat(32)}`);
    expect(document.activeElement).toBe(document.body);
    expect(local.countQuotes()).toBe(0);
  });

  it('shows the progress of an unfinished order', async () => {
    const local = renderNftWidget(mintListing, { ...bought, step: 'paid' });
    expect(root().dataset.state).toBe('paying');
    local.step('finished');
    await expectState('finished');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payment complete' }));
  });
});
