import { NftCheckout } from '@partner-ramp/react';
import { useRef, useState } from 'react';
import { FiatPrice } from './FiatPrice.js';
import { QuantityStepper } from './QuantityStepper.js';
import { useCheckoutNews } from './useCheckoutNews.js';
import type { Listing, Shop } from './useShop.js';

const NETWORKS: Readonly<Record<string, string>> = {
  arbitrum: 'Arbitrum',
  ethereum: 'Ethereum',
  polygon: 'Polygon',
};

/** What a print is, what it costs, and its button. */
export function PrintForSale({ shop, listing }: { shop: Shop; listing: Listing }) {
  const { number, title, type, network, currency, cryptoCurrency, prices } = listing;
  const [quantity, setQuantity] = useState(1);
  return (
    <>
      <div className="print-words">
        <p className="print-number">No. {number}</p>
        <h3>{title}</h3>
        <p className="print-kind">
          {type === 'MINT' ? 'Open edition' : 'One of one'} on {NETWORKS[network] ?? network}
        </p>
      </div>
      <div className="print-terms">
        <div>
          <p className="print-price">
            {prices[0]} {currency}
            {type === 'MINT' && <span className="print-each"> each</span>}
          </p>
          <FiatPrice
            price={prices[quantity - 1]}
            cryptoCurrency={cryptoCurrency}
            quantity={quantity}
          />
        </div>
        {type === 'MINT' && (
          <QuantityStepper
            of={title}
            value={quantity}
            most={prices.length}
            onChange={setQuantity}
          />
        )}
      </div>
      <BuyPrint shop={shop} listing={listing} quantity={quantity} />
    </>
  );
}

interface BuyPrintProps {
  readonly shop: Shop;
  readonly listing: Listing;
  readonly quantity: number;
}

/** The button names the print and how many; what it costs and where it goes the server signs. */
function BuyPrint({ shop, listing, quantity }: BuyPrintProps) {
  const { id, title, type, currency, prices } = listing;
  const { session, widgetUrl } = shop;
  const [news, checkout] = useCheckoutNews('print');
  // Signing in puts the button to buy in place of the one that had the focus.
  const signedInHere = useRef(false);
  const takeFocus = (button: HTMLButtonElement | null) => {
    if (!button || !signedInHere.current) return;
    signedInHere.current = false;
    button.focus();
  };

  if (session?.signedIn === false)
    return (
      <div className="print-buy">
        <button
          type="button"
          className="ramp-button print-button print-sign-in"
          aria-label={`Sign in to ${type === 'MINT' ? 'mint' : 'buy'}: ${title}`}
          onClick={() => {
            signedInHere.current = true;
            shop.signIn('a');
          }}
        >
          Sign in to {type === 'MINT' ? 'mint' : 'buy'}
        </button>
      </div>
    );
  if (!session || !widgetUrl) return <div className="print-buy" aria-hidden="true" />;

  const price = `${prices[quantity - 1]} ${currency}`;
  const words = type === 'MINT' ? `Mint ${quantity} for ${price}` : `Buy for ${price}`;
  const wish = type === 'MINT' ? { type, mintQuantity: quantity } : {};
  return (
    <div className="print-buy">
      <NftCheckout
        // Another shopper, another button: what was signed for one is never opened by the next.
        key={session.wallet}
        ref={takeFocus}
        className="print-button"
        merchantUniqueId={id}
        {...wish}
        {...checkout}
        aria-label={`${words}: ${title}`}
      >
        {words}
      </NftCheckout>
      <p className="news" role="status">
        {news}
      </p>
    </div>
  );
}
