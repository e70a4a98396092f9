import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { cryptoCurrencies } from '../../../../src/sandbox/catalog/cryptoCurrencies.js';
import { publishedAddresses } from '../../../support/server/publishedAddresses.js';
import {
  clickButton,
  continueToDetails,
  field,
  renderOnRampWidget,
  root,
} from '../renderOnRampWidget.js';

afterEach(cleanup);

const wallets = Object.entries(publishedAddresses).map(([family, all]) => ({
  family,
  walletAddress: all[4] ?? all[0] ?? '',
}));

describe.each(cryptoCurrencies)('a locked wallet for $code', ({ code, family, networkName }) => {
  const locked = { cryptoCurrency: code, walletAddressLocked: '1', fiatCurrency: 'EUR' };

  it('is shown if it is on the chain', async () => {
    const own = wallets.find((wallet) => wallet.family === family);
    await continueToDetails({ ...locked, walletAddress: own?.walletAddress ?? '' });
    expect(field('Wallet address').value).toBe(own?.walletAddress);
  });

  it('is refused in words if it is on another chain', async () => {
    for (const { walletAddress } of wallets.filter((wallet) => wallet.family !== family)) {
      renderOnRampWidget({ ...locked, amount: '100', walletAddress });
      await clickButton('Continue');
      expect(screen.getByRole('alert').textContent).toBe(
        `The wallet that the shop set is not on ${networkName}. Choose another currency.`,
      );
      expect(root().dataset.step).toBe('amount');
      cleanup();
    }
  });
});
