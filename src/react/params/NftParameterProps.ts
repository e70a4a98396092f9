import type { RowOf } from '../../protocol/widget/getWidgetParameters.js';

type Given = Exclude<RowOf<'nft'>, { managed: true } | { name: 'partnerId' }>;
type OfType = Extract<Given, { required: 'MARKET' | 'MINT' } | { name: 'type' }>;

type Text = { readonly [R in Exclude<Given, OfType> as R['name']]?: string | undefined };

type Lists = {
  readonly [R in Extract<Given, { format: 'fiats' }> as R['name']]?:
    | string
    | readonly string[]
    | undefined;
};

/** One that somebody holds. */
type Market = {
  readonly type: 'MARKET';
  readonly tokenId: string;
  readonly ownerWalletAddress: string;
  readonly mintQuantity?: undefined;
};

/** One that is made. */
type Mint = {
  readonly type: 'MINT';
  readonly mintQuantity: string | number;
  readonly tokenId?: undefined;
  readonly ownerWalletAddress?: undefined;
};

/** The backend's policy knows it by the listing that the page names. */
type OfListing = { readonly [R in OfType as R['name']]?: undefined };

/**
 * The parameters of NFT checkout (section 4.7) as props. All are a proposal: the backend's policy
 * says what is signed, so a page may name its listing alone, by `merchantUniqueId` say. `amount` is
 * the price in `cryptoCurrency`, a decimal string.
 */
export type NftParameterProps = Omit<Text, keyof Lists> & Lists & (Market | Mint | OfListing);
