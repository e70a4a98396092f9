import { RampProvider } from '@partner-ramp/react';
import { Gallery } from './Gallery.js';
import { PrintArt } from './PrintArt.js';
import { featured } from './prints.js';
import { ShopHeader } from './ShopHeader.js';
import { TopUpCard } from './TopUpCard.js';
import { useShop } from './useShop.js';

export function Storefront() {
  const shop = useShop();
  return (
    <RampProvider widgetUrl={shop.widgetUrl} api="/api/ramp">
      <ShopHeader shop={shop} />
      <main className="page">
        <section className="hero" aria-labelledby="headline">
          <div className="hero-words">
            <h1 id="headline">Weather, ground and water, drawn from a number.</h1>
            <p className="lead">
              A number goes in, a landscape comes out, and it is the same landscape every time. Six
              prints are on show. Top up now and your wallet is ready when they go on sale.
            </p>
          </div>
          <TopUpCard shop={shop} />
          <figure className="plate">
            <PrintArt print={featured} />
            <figcaption>
              <span>{featured.title}</span> No. {featured.tokenId}
            </figcaption>
          </figure>
        </section>
        <Gallery />
      </main>
      <footer className="footer page">
        <p>
          Fieldnote Prints is the example shop of the partner-ramp components for React. Its prints
          are drawn in your browser, each from its own number.
        </p>
      </footer>
    </RampProvider>
  );
}
