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
 * A print and its way to the checkout. The button names the print and how many; what it costs and
 * where it goes the server signs.
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
  const [takeFocus, focusSoon] = useDeferredFocus();
  const mintProps = isMint ? { type, mintQuantity: quantity } : { render: renderWithoutPrefetch };
  const isSignedIn = session?.signedIn && widgetUrl;
  // Nothing is taken from under the shopper: neither an open checkout, nor why there is none.
  const isTaken = listing.state !== 'for-sale' && !isUnderWay;
  return (
    <NftCard
      // Another shopper, another button: what was signed for one is never opened by the next.
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
      checkout={{ merchantUniqueId: id, ...mintProps, ...callbacks, ref: takeFocus }}
      action={
        isTaken ? (
          <UnavailablePrint listing={listing} takesFocus={wasOpen} />
        ) : isSignedIn ? undefined : (
          <SignIn shop={shop} to={isMint ? 'mint' : 'buy'} title={title} onSignIn={focusSoon} />
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
  // The order list knows of each payment, the shop of who was first.
  if (state === 'sold')
    return 'Somebody else paid for this print before you. Your money comes back to you.';
  return state === 'yours'
    ? 'Delivered: the print is in your wallet.'
    : 'Your payment has arrived.';
}

/**
 * What is signed is held for its shopper: where there is one of it, a pointer that merely passes by must
 * not hold it. So nothing is asked before the click.
 */
const renderWithoutPrefetch = ({ onPointerEnter: _, onFocus: __, ...button }: RampButtonProps) => (
  <button {...button} className="ramp-button" />
);
