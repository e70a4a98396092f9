import { CheckoutStatus } from '@partner-ramp/react';
import { ShopperPage } from './ShopperPage.js';

/**
 * Renders the page to which a shopper returns after a checkout in the same tab. The service does not redirect here:
 * shoppers come with the browser's Back button, or with the link in the shop's mail, which contains the reference.
 */
export function ReturnPage() {
  const reference = new URLSearchParams(location.search).get('reference');
  return (
    <ShopperPage
      className="return"
      title="Your order"
      signIn="Sign in to see your order."
      render={({ wallets }) => (
        <>
          <p className="lead">This page updates automatically.</p>
          {/* Without a reference, show the checkouts that this tab has opened. The key requests the checkout again when
              the shopper changes. */}
          <CheckoutStatus key={wallets.evm} reference={reference ?? undefined} />
        </>
      )}
    >
      <p className="return-links">
        <a href="/orders">All orders</a> <a href="/">Back to the shop</a>
      </p>
    </ShopperPage>
  );
}
