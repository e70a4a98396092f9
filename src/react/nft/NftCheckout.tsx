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
 * A button that opens NFT checkout with a signature of your backend. It is for Premium Partners: without a
 * signer it reports an error when it is clicked.
 *
 * Every NFT parameter (docs/service-interface.md section 4.7) is a prop, and only a proposal: your policy takes price,
 * contract and wallets from its own listing. State, errors and native attributes work as in
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
