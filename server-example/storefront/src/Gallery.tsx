import { PrintArt } from './PrintArt.js';
import { PRICE_CURRENCY, prints } from './prints.js';

/** The prints on show. They cannot be bought yet, so nothing here looks as if it could be pressed. */
export function Gallery() {
  return (
    <section className="gallery" aria-labelledby="on-show">
      <div className="gallery-head">
        <h2 id="on-show">On show</h2>
        <p>Six prints, one of each. Sales open later.</p>
      </div>
      <ul className="prints">
        {prints.map((print) => (
          <li key={print.tokenId}>
            <PrintArt print={print} />
            <p className="print-number">No. {print.tokenId}</p>
            <h3>{print.title}</h3>
            <p className="print-price">
              {print.price} {PRICE_CURRENCY}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
