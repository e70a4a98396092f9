import { OrderHistory } from './OrderHistory.js';
import { ShopperPage } from './ShopperPage.js';

export const OrdersPage = () => (
  <ShopperPage
    title="Your orders"
    signIn="Sign in to see your orders."
    render={({ name, wallets }) => (
      <>
        <p className="lead">Checkouts of {name}, newest first. This page updates automatically.</p>
        {/* The key resets the list when the shopper changes. */}
        <OrderHistory key={wallets.evm} />
      </>
    )}
  />
);
