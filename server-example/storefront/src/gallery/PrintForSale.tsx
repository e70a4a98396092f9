import { NftCard, type RampButtonProps } from '@partner-ramp/react';
import { useState } from 'react';
import type { PrintDrawing } from '../art/drawings.js';
import { PrintArt } from '../art/PrintArt.js';
import type { PublicListing, Shop } from '../shop/useShop.js';
import { FiatPrice } from './FiatPrice.js';
import { SignIn } from './SignIn.js';
import { UnavailablePrint } from './UnavailablePrint.js';
import { useCheckoutFeedback } from './useCheckoutFeedback.js';
import { useDeferredFocus } from './useDeferredFocus.js';
import { usePollUntilSold } from './usePollUntilSold.js';

const NETWORKS: Readonly<Record<string, string>> = {
  arbitrum: 'Arbitrum',
  ethereum: 'Ethereum',
  polygon: 'Polygon',
};

interface PrintForSaleProps {
  readonly shop: Shop;
  readonly drawing: PrintDrawing;
  readonly listing: PublicListing;
}

/**
 * Shows a print with its checkout button. The button sends the ID of the print and the quantity, and the
 * server signs the price and the wallet.
 */
export function PrintForSale({ shop, drawing, listing }: PrintForSaleProps) {
  const { id, number, title, type, network, currency, cryptoCurrency, prices } = listing;
  const { session, widgetUrl } = shop;
  const [quantity, setQuantity] = useState(1);
  const isMint = type === 'MINT';
  const { message, isUnderWay, wasOpen, isDelivered, callbacks } = useCheckoutFeedback({
    shopper: session?.signedIn ? session.wallet : undefined,
    deliveredText: getDeliveredText(listing, quantity),
    onFailed: shop.refresh,
  });
  usePollUntilSold(listing, isDelivered, shop.refresh);
  const [focusRef, requestFocus] = useDeferredFocus();
  const mintProps = isMint ? { type, mintQuantity: quantity } : { render: renderWithoutPrefetch };
  const isSignedIn = session?.signedIn && widgetUrl;
  // An open checkout stays visible, and so does the reason of a refused one.
  const isUnavailable = listing.state !== 'for-sale' && !isUnderWay;
  return (
    <NftCard
      // The key resets the button, so that no shopper opens a checkout that was signed for another.
      key={session?.signedIn ? session.wallet : 'nobody'}
      className="print"
      image={<PrintArt drawing={drawing} title={title} />}
      collection={`No. ${number} · ${isMint ? 'Open edition' : 'One of one'} on ${NETWORKS[network] ?? network}`}
      name={<h3>{title}</h3>}
      price={prices[0] ?? ''}
      currency={currency}
      fiatPrice={
        <FiatPrice
          price={prices[quantity - 1]}
          cryptoCurrency={cryptoCurrency}
          quantity={quantity}
        />
      }
      maxQuantity={prices.length}
      onQuantityChange={setQuantity}
      checkout={{ merchantUniqueId: id, ...mintProps, ...callbacks, ref: focusRef }}
      action={
        isUnavailable ? (
          <UnavailablePrint listing={listing} takesFocus={wasOpen} />
        ) : isSignedIn ? undefined : (
          <SignIn shop={shop} to={isMint ? 'mint' : 'buy'} title={title} onSignIn={requestFocus} />
        )
      }
    >
      {message}
    </NftCard>
  );
}

function getDeliveredText({ type, state }: PublicListing, quantity: number): string {
  if (type === 'MINT')
    return quantity === 1
      ? 'Delivered: the print is in your wallet.'
      : 'Delivered: the prints are in your wallet.';
  // The order list has every payment; only the shop knows which one was first.
  if (state === 'sold')
    return 'Another shopper paid for this print before you. The shop is refunding your payment.';
  return state === 'yours'
    ? 'Delivered: the print is in your wallet.'
    : 'Your payment has arrived.';
}

/**
 * Renders a button that requests no signature before the click. Signing reserves a print that exists
 * once, and a pointer that only passes over the button must not reserve it.
 */
const renderWithoutPrefetch = ({ onPointerEnter: _, onFocus: __, ...button }: RampButtonProps) => (
  <button {...button} className="ramp-button" />
);
