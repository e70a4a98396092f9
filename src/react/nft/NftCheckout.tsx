import type { NftParameterProps } from '../../client/params/NftParameters.js';
import { type CheckoutButtonProps, useCheckoutButton } from '../button/useCheckoutButton.js';
import { createComponent } from '../card/createComponent.js';

/** Props of {@link NftCheckout}: the NFT parameters, and the props that every checkout button has. */
export type NftCheckoutProps = NftParameterProps & CheckoutButtonProps;

/**
 * A button that opens NFT checkout with parameters that your backend has signed. Only Premium Partners can use it. If
 * neither `api` nor `signer` is set, a click reports an error.
 *
 * Every NFT parameter (service interface, section 4.7) is a prop. The props are only proposals: your policy
 * takes price, contract and wallets from its own listing.
 *
 * State, errors and native attributes work as in {@link OnRampButton}.
 *
 * @example
 * <NftCheckout merchantUniqueId="print-7" type="MINT" mintQuantity={2}>Mint two</NftCheckout>
 */
export const NftCheckout = /* @__PURE__ */ createComponent<HTMLButtonElement, NftCheckoutProps>(
  'NftCheckout',
  function NftCheckout(own, ref) {
    return useCheckoutButton('nft', own, ref);
  },
  'nft',
);
