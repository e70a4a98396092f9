import { forwardRef } from 'react';
import { type CheckoutButtonProps, useCheckoutButton } from '../button/useCheckoutButton.js';
import type { NftParameterProps } from '../params/NftParameterProps.js';
import { nftSigned, nftUnsigned } from '../params/parameterNames.js';

/** The props of {@link NftCheckout}. */
export type NftCheckoutProps = NftParameterProps & CheckoutButtonProps;

const nft = {
  widget: 'nft',
  signed: nftSigned,
  unsigned: nftUnsigned,
  label: 'buyNft',
  text: 'Buy NFT',
} as const;

/**
 * A button that opens NFT checkout with a signature of your backend; for Premium Partners, so
 * without a signer it is an error at opening.
 *
 * Every NFT parameter of section 4.7 of the service interface is a prop and a mere proposal: your policy takes price,
 * contract and wallets from its own listing. State, errors and native attributes are as with
 * {@link OnRampButton}.
 *
 * @example
 * <NftCheckout merchantUniqueId="print-7" type="MINT" mintQuantity={2}>Mint two</NftCheckout>
 */
export const NftCheckout = /* @__PURE__ */ forwardRef<HTMLButtonElement, NftCheckoutProps>(
  function NftCheckout(own, ref) {
    return useCheckoutButton(nft, own, ref);
  },
);
