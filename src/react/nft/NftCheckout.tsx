import { nftSigned, nftUnsigned } from '../../client/params/parameterNames.js';
import type { RowOf } from '../../protocol/widget/widgetParameters.js';
import { type CheckoutButtonProps, useCheckoutButton } from '../button/useCheckoutButton.js';
import { createComponent } from '../card/createComponent.js';

type Given = Exclude<RowOf<'nft'>, { managed: true } | { name: 'partnerId' }>;
type OfType = Extract<Given, { required: 'MARKET' | 'MINT' } | { name: 'type' }>;

type Text = { readonly [R in Exclude<Given, OfType> as R['name']]?: string | undefined };

type Flags = {
  readonly [R in Extract<Given, { format: 'flag' }> as R['name']]?: boolean | '0' | '1' | undefined;
};

type Lists = {
  readonly [R in Extract<Given, { format: 'fiats' }> as R['name']]?:
    | string
    | readonly string[]
    | undefined;
};

/** The parameters for buying an NFT from its owner. */
type Market = {
  readonly type: 'MARKET';
  readonly tokenId: string;
  readonly ownerWalletAddress: string;
  readonly mintQuantity?: undefined;
};

/** The parameters that depend on `type`, for an NFT that is minted: it has no token ID and no owner yet. */
type Mint = {
  readonly type: 'MINT';
  readonly mintQuantity: string | number;
  readonly tokenId?: undefined;
  readonly ownerWalletAddress?: undefined;
};

/**
 * The parameters for an NFT that the backend's policy looks up in its own listing: neither `type` nor a parameter that
 * depends on it.
 */
type OfListing = { readonly [R in OfType as R['name']]?: undefined };

/**
 * The parameters of NFT checkout as props (docs/service-interface.md section 4.7). They are only proposals, because the
 * backend's policy sets the signed values. So it is enough to pass an id that the policy can look up, such as
 * `merchantUniqueId`. `amount` is a decimal string: the price in `cryptoCurrency`.
 */
export type NftParameterProps = Omit<Text, keyof Lists | keyof Flags> &
  Lists &
  Flags &
  (Market | Mint | OfListing);

/** Props of {@link NftCheckout}: the NFT parameters, and the props that every checkout button has. */
export type NftCheckoutProps = NftParameterProps & CheckoutButtonProps;

const nft = {
  widget: 'nft',
  signed: nftSigned,
  unsigned: nftUnsigned,
  label: 'buyNft',
  text: 'Buy NFT',
} as const;

/**
 * A button that opens NFT checkout with parameters that your backend has signed. Only Premium Partners can use it. If
 * neither `api` nor `signer` is set, a click reports an error.
 *
 * Every NFT parameter (docs/service-interface.md section 4.7) is a prop. The props are only proposals: your policy
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
    return useCheckoutButton(nft, own, ref);
  },
  'nft',
);
