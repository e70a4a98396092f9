import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { Widget } from '../../src/sandbox/widget/Widget.js';
import { localService } from './local-service.js';
import '../../src/sandbox/widget/tokens.css';
import '../../src/sandbox/widget/layout.css';
import '../../src/sandbox/widget/form.css';
import '../../src/sandbox/widget/field.css';
import '../../src/sandbox/widget/order.css';

const wallet = '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e';

function show(params: Record<string, string> = {}) {
  const local = localService(params);
  render(
    <StrictMode>
      <Widget session={local.session} service={local.service} />
    </StrictMode>,
  );
  return local;
}

const root = () => document.querySelector('main') as HTMLElement;
const state = (is: string) => waitFor(() => expect(root().dataset.state).toBe(is));
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const choices = (name: string) =>
  within(screen.getByRole('combobox', { name }))
    .getAllByRole('option')
    .map((option) => (option as HTMLOptionElement).value);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const description = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

async function toDetails(params: Record<string, string> = {}) {
  const local = show({ amount: '100', ...params });
  await press('Continue');
  await screen.findByRole('heading', { name: 'Payment' });
  return local;
}

const axeFindings = async () => {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  const { violations } = await axe.run(document.body);
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
};

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

describe('the hosted widget', () => {
  it('is gone through by keyboard alone, each screen in order and read out', async () => {
    const local = show({ walletAddress: wallet });
    await userEvent.click(field('You pay'));
    await userEvent.keyboard('100{Enter}');
    const payment = await screen.findByRole('heading', { name: 'Payment' });
    expect(document.activeElement).toBe(payment);
    await userEvent.tab();
    expect(document.activeElement).toBe(field('E-mail'));
    await userEvent.keyboard('ann@shop.example{Enter}');
    await state('paying');
    expect(document.activeElement).toBe(
      screen.getByRole('heading', { name: 'Payment in progress' }),
    );
    expect(screen.getByRole('status').textContent).toBe('Sending to the wallet');
    local.step('sending');
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('Confirming on the network'),
    );
    local.step('finished');
    await state('finished');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payment complete' }));
    expect(root().textContent).toContain('96.14 USDT is in the wallet.');
    expect(root().textContent).toContain('0x53e9…0F2e');
    await press('Done');
    expect(screen.getByRole('status').textContent).toBe('You can close this page now.');
    expect(local.orders).toHaveLength(1);
  });

  it('pays once, however often it is told to', async () => {
    const local = await toDetails({ walletAddress: wallet, email: 'ann@shop.example' });
    await userEvent.dblClick(screen.getByRole('button', { name: 'Pay 100.00 USD' }));
    await state('paying');
    expect(local.orders).toHaveLength(1);
  });

  it('keeps what was entered when one goes back', async () => {
    await toDetails({ walletAddress: wallet });
    await userEvent.fill(field('E-mail'), 'ann@shop.example');
    await press('Back');
    expect(field('You pay').value).toBe('100');
    await press('Continue');
    expect(field('E-mail').value).toBe('ann@shop.example');
    expect(field('Wallet address').value).toBe(wallet);
  });

  it('says that the service cannot be reached, and goes on when it can', async () => {
    const local = localService({ amount: '100' });
    local.reachable(false);
    render(<Widget session={local.session} service={local.service} />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The service cannot be reached.');
    local.reachable(true);
    await press('Try again');
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'You get' }).textContent).toBe('96.14'),
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the price as it moves, and asks no more once it is paid', async () => {
    const email = 'ann@shop.example';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const local = show({ amount: '100', walletAddress: wallet, defaultCurrency: 'ETH', email });
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const rate = () => root().querySelector('.rate')?.textContent;
    await pass(1000);
    const before = rate();
    expect(before).toMatch(/^1 ETH = /);
    local.later(60_000);
    await pass(10_000);
    expect(rate()).toMatch(/^1 ETH = /);
    expect(rate()).not.toBe(before);
    fireEvent.submit(root().querySelector('form') as Element);
    fireEvent.submit(root().querySelector('form') as Element);
    await pass(0);
    expect(root().dataset.state).toBe('paying');
    const asked = local.asked();
    await pass(10_000);
    expect(local.asked()).toBe(asked);
  });

  it('has a card that nobody can type another number into, or have filled in', async () => {
    await toDetails();
    const card = field('Card number');
    expect(card.value).toBe('4242 4242 4242 4242');
    for (const name of ['Card number', 'Expiry date', 'Security code']) {
      expect(field(name).readOnly).toBe(true);
      expect(field(name).autocomplete).toBe('off');
    }
  });
});

describe('errors', () => {
  it('stand at their fields, which take the focus', async () => {
    show();
    await press('Continue');
    expect(document.activeElement).toBe(field('You pay'));
    expect(description(field('You pay'))).toContain('Enter an amount.');
    await userEvent.keyboard('5');
    expect(description(field('You pay'))).toContain('At least 15.00 USD.');
    await userEvent.fill(field('You pay'), '5000.01');
    expect(description(field('You pay'))).toContain('At most 5,000.00 USD.');
    await userEvent.fill(field('You pay'), '20.001');
    expect(description(field('You pay'))).toContain('such as 99.50');
    await userEvent.fill(field('You pay'), '20,50');
    expect(field('You pay').getAttribute('aria-invalid')).toBeNull();
    await press('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    await press('Pay 20.50 USD');
    expect(document.activeElement).toBe(field('E-mail'));
    expect(description(field('E-mail'))).toContain('Enter an e-mail address');
    expect(description(field('Wallet address'))).toContain('Enter a wallet address on Ethereum.');
  });

  it('do not come before one has finished typing', async () => {
    show();
    await userEvent.click(field('You pay'));
    await userEvent.keyboard('1');
    expect(field('You pay').getAttribute('aria-invalid')).toBeNull();
    await userEvent.tab();
    expect(field('You pay').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('the parameters of the URL', () => {
  it('fiatCurrency, defaultFiatCurrency, cryptoCurrency, defaultCurrency', async () => {
    show({
      fiatCurrency: 'EUR,JPY,XXX',
      defaultFiatCurrency: 'JPY',
      cryptoCurrency: 'BTC,ETH',
      defaultCurrency: 'ETH',
      amount: '20000',
    });
    expect(choices('Payment currency')).toEqual(['EUR', 'JPY']);
    expect(choices('Currency to receive')).toEqual(['BTC', 'ETH']);
    await waitFor(() => expect(root().textContent).toContain('1 ETH = 470,956.64 JPY'));
    expect(root().textContent).toContain('500 JPY');
  });

  it('cryptoNetwork', () => {
    show({ cryptoNetwork: 'solana_mainnet' });
    expect(choices('Currency to receive')).toEqual(['USDC_Solana', 'SOL']);
  });

  it('amountFixed', async () => {
    show({ amount: '5', amountFixed: '250', fiatCurrency: 'USD' });
    expect(field('You pay').value).toBe('250');
    expect(field('You pay').readOnly).toBe(true);
    expect(description(field('You pay'))).toContain('The shop set this amount.');
    expect(screen.queryByRole('combobox', { name: 'Payment currency' })).toBeNull();
  });

  it('email', async () => {
    await toDetails({ email: 'ann@shop.example' });
    expect(field('E-mail').value).toBe('ann@shop.example');
    expect(field('E-mail').autocomplete).toBe('email');
  });

  it('walletAddress, which may be changed', async () => {
    const local = await toDetails({ walletAddress: wallet, email: 'ann@shop.example' });
    const other = '0x000000000000000000000000000000000000dEaD';
    await userEvent.fill(field('Wallet address'), other);
    await press(/^Pay/);
    await state('paying');
    expect(local.orders[0]?.walletAddress).toBe(other);
  });

  it('walletAddress of another chain: left empty, and it says why', async () => {
    await toDetails({ walletAddress: wallet, defaultCurrency: 'BTC' });
    expect(field('Wallet address').value).toBe('');
    expect(description(field('Wallet address'))).toContain('is not one on Bitcoin');
  });

  it('walletAddressLocked: shown, not editable', async () => {
    await toDetails({ walletAddress: wallet, walletAddressLocked: '1' });
    expect(field('Wallet address').value).toBe(wallet);
    expect(field('Wallet address').readOnly).toBe(true);
    expect(description(field('Wallet address'))).toContain('The shop set this wallet.');
  });

  it('walletAddressLocked on another chain: the currency cannot be bought', async () => {
    show({ amount: '100', walletAddress: wallet, walletAddressLocked: '1' });
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Currency to receive' }),
      'BTC',
    );
    expect(screen.getByRole('alert').textContent).toContain('Choose another currency.');
    await press('Continue');
    expect(root().dataset.step).toBe('amount');
  });

  it('a pair that is not sold: says so, asks for no price and goes no further', async () => {
    show({ amount: '20000', fiatCurrency: 'JPY,USD', cryptoCurrency: 'TRX,BTC' });
    expect(screen.getByRole('alert').textContent).toBe(
      'TRX is not sold for JPY. Choose another currency.',
    );
    await press('Continue');
    expect(root().dataset.step).toBe('amount');
    expect(screen.getByRole('status', { name: 'You get' }).textContent).toBe('–');
    const receive = screen.getByRole('combobox', { name: 'Currency to receive' });
    await userEvent.selectOptions(receive, 'BTC');
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
  });

  it('walletAddressHidden: shown nowhere', async () => {
    const email = 'ann@shop.example';
    const local = await toDetails({ walletAddress: wallet, walletAddressHidden: '1', email });
    expect(screen.queryByRole('textbox', { name: 'Wallet address' })).toBeNull();
    local.step('finished');
    await press(/^Pay/);
    await state('finished');
    expect(document.body.innerHTML).not.toContain(wallet.slice(0, 6));
  });

  it('nothing on offer', () => {
    show({ cryptoCurrency: 'DOGE' });
    expect(root().dataset.state).toBe('refused');
    expect(screen.getByRole('heading', { name: 'Nothing to buy here' })).toBeDefined();
  });

  it.each([
    ['de-AT', 'de', 'ltr', 'Krypto kaufen', '99,50'],
    ['es', 'es', 'ltr', 'Comprar cripto', '99,50'],
    ['fr', 'fr', 'ltr', 'Acheter des cryptos', '99,50'],
    ['ja', 'ja', 'ltr', '暗号資産を購入', '99.50'],
    ['zh_CN', 'zh', 'ltr', '购买加密货币', '99.50'],
    ['ar', 'ar', 'rtl', 'شراء العملات المشفّرة', '99.50'],
    ['xx', 'en', 'ltr', 'Buy crypto', '99.50'],
  ])('language=%s', async (language, lang, dir, title, amount) => {
    show({ language, amount: '99.50' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(document.documentElement.lang).toBe(lang);
    expect(document.documentElement.dir).toBe(dir);
    expect(screen.getAllByRole<HTMLInputElement>('textbox')[0]?.value).toBe(amount);
    await waitFor(() => expect(root().querySelector('output')?.textContent).toMatch(/\d/));
  });
});

describe('accessibility', () => {
  it.each(['en', 'ar'])('axe finds nothing on any screen: %s', async (language) => {
    const local = show({ walletAddress: wallet, walletAddressLocked: '1', language });
    const submit = () => userEvent.click(root().querySelector('[type=submit]') as Element);
    await submit();
    expect(await axeFindings()).toEqual([]);
    await userEvent.fill(screen.getAllByRole('textbox')[0] as Element, '100');
    await waitFor(() => expect(root().querySelector('[data-stale=false]')).not.toBeNull());
    expect(await axeFindings()).toEqual([]);
    await submit();
    await submit();
    expect(await axeFindings()).toEqual([]);
    await userEvent.fill(screen.getAllByRole('textbox')[0] as Element, 'ann@shop.example');
    await submit();
    await state('paying');
    expect(await axeFindings()).toEqual([]);
    local.step('finished');
    await state('finished');
    expect(await axeFindings()).toEqual([]);
  });
});
