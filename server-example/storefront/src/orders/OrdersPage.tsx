import { RampProvider } from '@partner-ramp/react';
import { ShopFooter, ShopHeader } from '../shop/ShopHeader.js';
import { useShop } from '../shop/useShop.js';
import { OrderHistory } from './OrderHistory.js';

/** Renders the page of the signed-in shopper's checkouts. */
export function OrdersPage() {
  const shop = useShop({ withListings: false });
  const { session } = shop;
  return (
    <RampProvider widgetUrl={shop.widgetUrl} api="/api/ramp">
      <ShopHeader shop={shop} page="orders" />
      <main className="page orders">
        <h1>Your orders</h1>
        {session?.signedIn && (
          <>
            <p className="lead">
              Checkouts of {session.name}, newest first. This page updates automatically.
            </p>
            {/* The key resets the list when the shopper changes. */}
            <OrderHistory key={session.wallet} />
          </>
        )}
        {session?.signedIn === false && (
          <>
            <p className="lead">Sign in to see your orders.</p>
            <button type="button" className="ramp-button no-icon" onClick={() => shop.signIn('a')}>
              Sign in as Demo shopper A
            </button>
          </>
        )}
        {!session && shop.isUnreachable && (
          <p className="error-message" role="alert">
            The shop's server is not responding. This page tries again by itself.
          </p>
        )}
      </main>
      <ShopFooter />
    </RampProvider>
  );
}
