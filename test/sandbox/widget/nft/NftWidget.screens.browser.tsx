import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import { marketListing, mintListing, partnerFields } from '../../../support/sandbox/nftListings.js';
import { expectState, root } from '../renderOnRampWidget.js';
import { renderNftWidget, submit, waitForPrice } from './renderNftWidget.js';

const email = 'ann@shop.example';
const text = () => root().textContent ?? '';

afterEach(cleanup);

describe('The screens of NftWidget', () => {
  it.each([
    [
      'de-AT',
      'NFT kaufen',
      'Geht nach der Zahlung an 0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e.',
      'Preis0,05',
    ],
    [
      'es',
      'Comprar NFT',
      'Se envía a 0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e tras el pago.',
      'Precio0,05',
    ],
    [
      'fr',
      'Acheter un NFT',
      'Envoyé à 0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e après le paiement.',
      'Prix0,05',
    ],
    [
      'ja',
      'NFTを購入',
      'お支払い後、0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2eに送られます。',
      '価格0.05',
    ],
    ['zh_CN', '购买 NFT', '付款后发送到 0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e。', '价格0.05'],
    [
      'ar',
      'شراء NFT',
      'يُرسل إلى \u20680x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e\u2069 بعد الدفع.',
      'السعر0.05',
    ],
  ])('are in the language of the URL: %s', async (language, title, sent, price) => {
    renderNftWidget({ ...marketListing, language });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(document.documentElement.dir).toBe(language === 'ar' ? 'rtl' : 'ltr');
    expect(text()).toContain(sent);
    expect(text()).toContain(price);
    await waitForPrice();
  });

  it('do not contain the settlement wallet', async () => {
    renderNftWidget({ ...marketListing, ...partnerFields });
    await waitForPrice();
    for (const value of [marketListing.walletAddress, ...Object.values(partnerFields)])
      expect(document.documentElement.innerHTML).not.toContain(value);
  });

  it('fit a narrow phone', async () => {
    const long = '9'.repeat(78);
    const params = {
      tokenId: long,
      amount: '12345.123456789012345678',
      cryptoCurrency: 'POL_Polygon',
    };
    renderNftWidget({ ...marketListing, ...params, contractAddress: long, language: 'fr' });
    await waitForPrice();
    document.body.style.width = '320px';
    expect(root().scrollWidth).toBeLessThanOrEqual(root().clientWidth);
    document.body.removeAttribute('style');
  });

  it.each([
    ['en', marketListing],
    ['ar', mintListing],
  ])('have no findings of axe: %s', async (language, params) => {
    const local = renderNftWidget({ ...params, language, amount: '0.0001' });
    await screen.findByRole('alert');
    expect(await findAxeViolations()).toEqual([]);
    cleanup();
    const sold = renderNftWidget({ ...params, language });
    await waitForPrice();
    expect(await findAxeViolations()).toEqual([]);
    await submit();
    await waitFor(() => expect(root().dataset.step).toBe('details'));
    await submit();
    expect(await findAxeViolations()).toEqual([]);
    await userEvent.fill(screen.getAllByRole('textbox')[0] as Element, email);
    await submit();
    await expectState('paying');
    expect(await findAxeViolations()).toEqual([]);
    sold.step('finished');
    await expectState('finished');
    expect(await findAxeViolations()).toEqual([]);
    expect(local.orders).toHaveLength(0);
  });
});
