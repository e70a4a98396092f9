import { ShortText } from './ShortText.js';
import { type Purchase, type Shopper, usePurchases } from './useShop.js';

const timeFormatter = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
});

/** Formats a decimal string with all its digits, as the cards of the package do. */
const amountFormatter = new Intl.NumberFormat('en', { maximumFractionDigits: 18 });

/** The wallets of the shopper, from which the server chooses. */
export const Wallets = ({ shopper: { name, wallets } }: { readonly shopper: Shopper }) => (
  <section className="wallets" aria-labelledby="wallets">
    <h2 id="wallets">{name}’s wallets</h2>
    <dl>
      {wallets.evm && (
        <div>
          <dt>Ethereum, Polygon, Base and others</dt>
          <dd>
            <ShortText>{wallets.evm}</ShortText>
          </dd>
        </div>
      )}
      {wallets.bitcoin && (
        <div>
          <dt>Bitcoin</dt>
          <dd>
            <ShortText>{wallets.bitcoin}</ShortText>
          </dd>
        </div>
      )}
    </dl>
  </section>
);

/** What the shop has delivered to the shopper, from the shop's own table. */
export function Purchases({ shopper }: { readonly shopper: Shopper }) {
  const { data } = usePurchases(shopper);
  return (
    <section className="card" aria-labelledby="purchases">
      <h2 id="purchases">Your purchases</h2>
      {data && data.purchases.length > 0 ? (
        <PurchaseTable purchases={data.purchases} />
      ) : (
        <p className="note">Nothing yet. A paid order appears here once we have booked it.</p>
      )}
    </section>
  );
}

const PurchaseTable = ({ purchases }: { readonly purchases: readonly Purchase[] }) => (
  <table className="purchases" aria-labelledby="purchases">
    <thead>
      <tr>
        <th scope="col">Amount</th>
        <th scope="col">Order</th>
        <th scope="col">Booked</th>
      </tr>
    </thead>
    <tbody>
      {purchases.map(({ orderId, amount, coin, deliveredAt }) => (
        <tr key={orderId}>
          <td>
            {amount && amountFormatter.format(amount as `${number}`)} {coin}
          </td>
          <td>
            <ShortText>{orderId}</ShortText>
          </td>
          <td>{timeFormatter.format(deliveredAt * 1000)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
