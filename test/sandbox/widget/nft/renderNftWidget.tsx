import { render, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createNftQuote } from '../../../../src/sandbox/catalog/pricing.js';
import {
  checkNftOrder,
  checkNftPurchase,
  type NftOrderRequest,
  type NftRequest,
} from '../../../../src/sandbox/checkout/checkPurchase.js';
import { createNftOffer } from '../../../../src/sandbox/checkout/offers.js';
import { toNftPageData } from '../../../../src/sandbox/checkout/pageData.js';
import type { OrderProgress } from '../../../../src/sandbox/orders.js';
import { NftWidget } from '../../../../src/sandbox/widget/nft/NftWidget.js';
import { fakeCheckoutService } from '../fakeCheckoutService.js';
import { root } from '../renderOnRampWidget.js';
import '../../../../src/sandbox/widget/styles/nft.css';

/** Creates a fake service for an NFT URL with these parameters. Prices and checks are those of the sandbox. */
function localNftService(params: Record<string, string>, bought?: OrderProgress) {
  const offered = createNftOffer(params);
  if (!offered) throw new Error('This currency is not an NFT currency.');
  const local = fakeCheckoutService<NftRequest, NftOrderRequest>({
    quote: (request, atMs) => createNftQuote(checkNftPurchase(offered, request), atMs),
    order: (request, atMs) =>
      checkNftOrder(offered, request, (purchase) => createNftQuote(purchase, atMs)).price,
  });
  if (bought) local.orders.push(bought);
  return { ...local, session: toNftPageData('an-id', offered, bought) };
}

export function renderNftWidget(params: Record<string, string>, bought?: OrderProgress) {
  const local = localNftService(params, bought);
  render(
    <StrictMode>
      <NftWidget session={local.session} client={local.service} />
    </StrictMode>,
  );
  return local;
}

export const priceOutput = () => root().querySelector('output') as HTMLOutputElement;
export const waitForPrice = () =>
  waitFor(() => expect(priceOutput().getAttribute('data-stale')).toBe('false'));
export const submit = () => userEvent.click(root().querySelector('[type=submit]') as Element);
