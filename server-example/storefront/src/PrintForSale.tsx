import { NftCard } from '@partner-ramp/react';
import { useState } from 'react';
import { FiatPrice } from './FiatPrice.js';
import { PrintArt } from './PrintArt.js';
import type { Drawing } from './prints.js';
import { SignIn } from './SignIn.js';
import { useCheckoutNews } from './useCheckoutNews.js';
import { useFocusLater } from './useFocusLater.js';
import type { Listing, Shop } from './useShop.js';

const NETWORKS: Readonly<Record<string, string>> = {
  arbitrum: 'Arbitrum',
  ethereum: 'Ethereum',
  polygon: 'Polygon',
};

interface PrintForSaleProps {
  readonly shop: Shop;
  readonly drawing: Drawing;
  readonly listing: Listing;
}

/**
 * A print and its way to the checkout. The button names the print and how many; what it costs and
 * where it goes the server signs.
 */
export function PrintForSale({ shop, drawing, listing }: PrintForSaleProps) {
  const { id, number, title, type, network, currency, cryptoCurrency, prices } = listing;
  const { session, widgetUrl } = shop;
  const [quantity, setQuantity] = useState(1);
  const [news, callbacks] = useCheckoutNews('print');
  const [takeFocus, focusSoon] = useFocusLater();
  const isMint = type === 'MINT';
  const wish = isMint ? { type, mintQuantity: quantity } : {};
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
      checkout={{ merchantUniqueId: id, ...wish, ...callbacks, ref: takeFocus }}
      action={
        session?.signedIn && widgetUrl ? undefined : (
          <SignIn shop={shop} to={isMint ? 'mint' : 'buy'} title={title} onSignIn={focusSoon} />
        )
      }
    >
      <p className="news" role="status">
        {news}
      </p>
    </NftCard>
  );
}
