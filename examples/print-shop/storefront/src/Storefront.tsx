import { RampProvider } from '@partner-ramp/react';
import { Gallery } from './gallery/Gallery.js';
import { CheckoutNotice } from './orders/CheckoutNotice.js';
import { PrintArt } from './shop/PrintArt.js';
import { ShopFooter, ShopHeader } from './shop/ShopHeader.js';
import { useShop } from './shop/useShop.js';
import { TopUpCard } from './top-up/TopUpCard.js';

export function Storefront() {
  const shop = useShop();
  return (
    <RampProvider
      widgetUrl={shop.widgetUrl}
      api="/api/ramp"
      // Offer to sign in, because the session may have ended since the page was loaded.
      errorAction={({ code }) =>
        code === 'ERR_SIGNED_OUT' ? (
          <button type="button" onClick={() => shop.signIn('a')}>
            Sign in as Demo shopper A
          </button>
        ) : undefined
      }
    >
      <ShopHeader shop={shop} page="shop" />
      <main id="main" className="page">
        <section className="hero" aria-labelledby="headline">
          <div className="hero-words">
            <h1 id="headline">Weather, ground and water, drawn from a number.</h1>
            <p className="lead">
              Each print is a landscape drawn from a number, and the same number always gives the
              same landscape. Six prints are <a href="#for-sale">for sale</a>: pay by card, and
              receive the print in your wallet. Or top up your wallets first.
            </p>
          </div>
          <TopUpCard shop={shop} />
          <figure className="plate">
            <PrintArt number="2209" title="Eight Ridges, Evening" width={800} height={450} />
            <figcaption>
              <span>Eight Ridges, Evening</span> No. 2209, not for sale
            </figcaption>
          </figure>
        </section>
        <Gallery shop={shop} />
      </main>
      <CheckoutNotice shop={shop} />
      <ShopFooter />
    </RampProvider>
  );
}
