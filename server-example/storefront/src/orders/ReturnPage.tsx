import { CheckoutStatus } from '@partner-ramp/react';
import { ShopperPage } from './ShopperPage.js';

/**
 * Renders the page on which a shopper returns from a checkout that replaced the shop. The service does not lead them
 * here: they come by the browser's Back button, or by the link in the shop's mail, which has the reference.
 */
export function ReturnPage() {
  const reference = new URLSearchParams(location.search).get('reference');
  return (
    <ShopperPage
      className="return"
      title="Your order"
      signIn="Sign in to see your order."
      render={({ wallet }) => (
        <>
          <p className="lead">This page updates automatically.</p>
          {/* Without a reference, show the checkouts that this tab has opened. The key requests the checkout again when
              the shopper changes. */}
          <CheckoutStatus key={wallet} {...(reference && { reference })} />
        </>
      )}
    >
      <p className="return-links">
        <a href="/orders">All orders</a> <a href="/">Back to the shop</a>
      </p>
    </ShopperPage>
  );
}
