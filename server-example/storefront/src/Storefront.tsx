import { RampProvider } from '@partner-ramp/react';
import { featuredDrawing } from './art/drawings.js';
import { PrintArt } from './art/PrintArt.js';
import { Gallery } from './gallery/Gallery.js';
import { ShopFooter } from './shop/ShopFooter.js';
import { ShopHeader } from './shop/ShopHeader.js';
import { useShop } from './shop/useShop.js';
import { TopUpCard } from './top-up/TopUpCard.js';

export function Storefront() {
  const shop = useShop();
  return (
    <RampProvider widgetUrl={shop.widgetUrl} api="/api/ramp">
      <ShopHeader shop={shop} page="shop" />
      <main className="page">
        <section className="hero" aria-labelledby="headline">
          <div className="hero-words">
            <h1 id="headline">Weather, ground and water, drawn from a number.</h1>
            <p className="lead">
              Each print is a landscape drawn from a number, and the same number always gives the
              same landscape. Six prints are <a href="#for-sale">for sale</a>: pay by card, and
              receive the print in your wallet. Or top up your wallet first.
            </p>
          </div>
          <TopUpCard shop={shop} />
          <figure className="plate">
            <PrintArt drawing={featuredDrawing} title={featuredDrawing.title} />
            <figcaption>
              <span>{featuredDrawing.title}</span> No. {featuredDrawing.number}, not for sale
            </figcaption>
          </figure>
        </section>
        <Gallery shop={shop} />
      </main>
      <ShopFooter />
    </RampProvider>
  );
}
