import { PrintArt } from '../shop/PrintArt.js';
import type { Shop } from '../shop/useShop.js';
import { Wallet } from '../shop/Wallet.js';
import { BoughtPrint } from './BoughtPrint.js';
import { PrintForSale } from './PrintForSale.js';

/** The prints for sale. Their titles and prices come from the server. */
const PRINTS = ['0175', '0386', '0597', '0919', '1093', '1378'];

export function Gallery({ shop }: { shop: Shop }) {
  const { session, listings } = shop;
  return (
    <section className="gallery" aria-labelledby="for-sale">
      <div className="gallery-head">
        <h2 id="for-sale">For sale</h2>
        {session?.signedIn ? (
          <p className="gallery-wallet">
            Purchases are delivered to your wallet <Wallet address={session.wallets.evm} />
          </p>
        ) : (
          <p>Purchases are delivered to the wallet of your account.</p>
        )}
      </div>
      {!listings && shop.isUnreachable && (
        <p className="error-message" role="alert">
          The prints could not be loaded. They will appear as soon as the shop responds.
        </p>
      )}
      {/* The key resets the card when the shopper changes. */}
      {session?.signedIn && <BoughtPrint key={session.wallets.evm} />}
      <ul className="prints">
        {PRINTS.map((number) => {
          const listing = listings?.find((each) => each.number === number);
          return (
            <li key={number}>
              {listing ? (
                <PrintForSale shop={shop} listing={listing} />
              ) : (
                <div className="print-placeholder">
                  <PrintArt number={number} title={undefined} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
