import { CheckoutInProgress } from '@partner-ramp/react';
import type { Shop } from '../shop/useShop.js';

/** Reminds the shopper of a checkout that waits for its payment. It lies over the page, so that nothing moves. */
export const CheckoutNotice = ({ shop: { session } }: { readonly shop: Shop }) =>
  // The key resets the note when the shopper changes.
  session?.signedIn && <CheckoutInProgress key={session.wallets.evm} className="checkout-notice" />;
