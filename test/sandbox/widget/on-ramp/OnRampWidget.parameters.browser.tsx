import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import {
  clickButton,
  continueToDetails,
  expectState,
  field,
  getDescription,
  getOptions,
  renderOnRampWidget,
  root,
  wallet,
} from '../renderOnRampWidget.js';

afterEach(cleanup);

describe('URL parameters of OnRampWidget', () => {
  it('fiatCurrency, defaultFiatCurrency, cryptoCurrency and defaultCurrency set the choices', async () => {
    renderOnRampWidget({
      fiatCurrency: 'EUR,JPY,XXX',
      defaultFiatCurrency: 'JPY',
      cryptoCurrency: 'BTC,ETH',
      defaultCurrency: 'ETH',
      amount: '20000',
    });
    expect(getOptions('Payment currency')).toEqual(['EUR', 'JPY']);
    expect(getOptions('Currency to receive')).toEqual(['BTC', 'ETH']);
    await waitFor(() => expect(root().textContent).toContain('1 ETH = 470,956.64 JPY'));
    expect(root().textContent).toContain('500 JPY');
  });

  it('cryptoNetwork restricts the cryptocurrencies', () => {
    renderOnRampWidget({ cryptoNetwork: 'solana_mainnet' });
    expect(getOptions('Currency to receive')).toEqual(['USDC_Solana', 'SOL']);
  });

  it('amountFixed makes the amount read-only', async () => {
    renderOnRampWidget({ amount: '5', amountFixed: '250', fiatCurrency: 'USD' });
    expect(field('You pay').value).toBe('250');
    expect(field('You pay').readOnly).toBe(true);
    expect(getDescription(field('You pay'))).toContain('The shop set this amount.');
    expect(screen.queryByRole('combobox', { name: 'Payment currency' })).toBeNull();
  });

  it('email prefills the e-mail address', async () => {
    await continueToDetails({ email: 'ann@shop.example' });
    expect(field('E-mail').value).toBe('ann@shop.example');
    expect(field('E-mail').autocomplete).toBe('email');
  });

  it('walletAddress prefills an editable wallet', async () => {
    const local = await continueToDetails({ walletAddress: wallet, email: 'ann@shop.example' });
    const other = '0x000000000000000000000000000000000000dEaD';
    await userEvent.fill(field('Wallet address'), other);
    await clickButton(/^Pay/);
    await expectState('paying');
    expect(local.orders[0]?.walletAddress).toBe(other);
  });

  it('walletAddress of another chain is left out, and a hint explains it', async () => {
    await continueToDetails({ walletAddress: wallet, defaultCurrency: 'BTC' });
    expect(field('Wallet address').value).toBe('');
    expect(getDescription(field('Wallet address'))).toContain('is not valid on Bitcoin');
  });

  it('walletAddressLocked makes the wallet read-only', async () => {
    await continueToDetails({ walletAddress: wallet, walletAddressLocked: '1' });
    expect(field('Wallet address').value).toBe(wallet);
    expect(field('Wallet address').readOnly).toBe(true);
    expect(getDescription(field('Wallet address'))).toContain('The shop set this wallet.');
  });

  it('walletAddressLocked on another chain blocks the purchase', async () => {
    renderOnRampWidget({ amount: '100', walletAddress: wallet, walletAddressLocked: '1' });
    const receive = screen.getByRole('combobox', { name: 'Currency to receive' });
    await userEvent.selectOptions(receive, 'BTC');
    expect(screen.getByRole('alert').textContent).toContain('Choose another currency.');
    const button = screen.getByRole('button', { name: 'Continue' });
    expect(getDescription(button)).toContain('Choose another currency.');
    await userEvent.click(button);
    expect(root().dataset.step).toBe('amount');
    expect(document.activeElement).toBe(receive);
    expect(getDescription(receive)).toContain('Choose another currency.');
  });

  it('walletAddressLocked on another chain is announced again if there is one currency', async () => {
    renderOnRampWidget({
      amount: '100',
      walletAddress: wallet,
      walletAddressLocked: '1',
      cryptoCurrency: 'BTC',
    });
    const before = screen.getByRole('alert');
    await clickButton('Continue');
    const alert = screen.getByRole('alert');
    expect(alert).not.toBe(before);
    expect(alert.textContent).toContain('The wallet that the shop set is not on Bitcoin.');
    expect(root().dataset.step).toBe('amount');
  });

  it('an unavailable pair shows an error, requests no quote and blocks the purchase', async () => {
    renderOnRampWidget({ amount: '20000', fiatCurrency: 'JPY,USD', cryptoCurrency: 'TRX,BTC' });
    expect(screen.getByRole('alert').textContent).toBe(
      'TRX is not sold for JPY. Choose another currency.',
    );
    await clickButton('Continue');
    expect(root().dataset.step).toBe('amount');
    expect(screen.getByRole('status', { name: 'You get' }).textContent).toBe('–');
    const receive = screen.getByRole('combobox', { name: 'Currency to receive' });
    await userEvent.selectOptions(receive, 'BTC');
    expect(screen.queryByRole('alert')).toBeNull();
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
  });

  it('walletAddressHidden hides the wallet on every screen', async () => {
    const email = 'ann@shop.example';
    const local = await continueToDetails({
      walletAddress: wallet,
      walletAddressHidden: '1',
      email,
    });
    expect(screen.queryByRole('textbox', { name: 'Wallet address' })).toBeNull();
    local.step('finished');
    await clickButton(/^Pay/);
    await expectState('finished');
    expect(document.body.innerHTML).not.toContain(wallet.slice(0, 6));
  });

  it('unknown currencies only show that the purchase is not available', () => {
    renderOnRampWidget({ cryptoCurrency: 'DOGE' });
    expect(root().dataset.state).toBe('refused');
    expect(screen.getByRole('heading', { name: 'This purchase is not available' })).toBeDefined();
  });

  it('a code in the wrong case is ignored, and a banner names the known code', async () => {
    renderOnRampWidget({ defaultCurrency: 'btc', language: 'ar', amount: '100' });
    const banner = screen.getByRole('complementary', { name: 'Sandbox notice' });
    expect(banner.textContent).toBe(
      'defaultCurrency: the code btc is unknown in this spelling, so it was ignored. Codes are case-sensitive. Did you mean BTC?',
    );
    expect([banner.lang, banner.dir]).toEqual(['en', 'ltr']);
    expect(root().dataset.state).toBe('form');
    expect(await findAxeViolations()).toEqual([]);
  });

  it('known codes show no banner', () => {
    renderOnRampWidget({ defaultCurrency: 'BTC' });
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it.each([
    ['de-AT', 'de', 'ltr', 'Krypto kaufen', '99,50'],
    ['es', 'es', 'ltr', 'Comprar cripto', '99,50'],
    ['fr', 'fr', 'ltr', 'Acheter des cryptos', '99,50'],
    ['ja', 'ja', 'ltr', '暗号資産を購入', '99.50'],
    ['zh_CN', 'zh', 'ltr', '购买加密货币', '99.50'],
    ['ar', 'ar', 'rtl', 'شراء العملات المشفّرة', '99.50'],
    ['xx', 'en', 'ltr', 'Buy crypto', '99.50'],
  ])(
    'language=%s sets language, direction and formats',
    async (language, lang, dir, title, amount) => {
      renderOnRampWidget({ language, amount: '99.50' });
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
      expect(document.documentElement.lang).toBe(lang);
      expect(document.documentElement.dir).toBe(dir);
      expect(screen.getAllByRole<HTMLInputElement>('textbox')[0]?.value).toBe(amount);
      await waitFor(() => expect(root().querySelector('output')?.textContent).toMatch(/\d/));
    },
  );
});
