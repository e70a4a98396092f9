import type { ParameterName, RowOf } from './getWidgetParameters.js';
import type { Widget } from './WidgetParameter.js';

/** The rows that a caller passes; the signer adds the others. */
type Given<W extends Widget> = Exclude<RowOf<W>, { managed: true } | { name: 'partnerId' }>;

type ValueOf<R> = R extends { format: 'flag' }
  ? '0' | '1'
  : R extends { format: 'nftType' }
    ? 'MARKET' | 'MINT'
    : string;

type Required<R extends { required: string }> = Extract<R, { required: 'premium' | 'always' }>;

type ParamsOf<R extends { name: string; required: string }> = {
  [P in Required<R> as P['name']]: ValueOf<P>;
} & {
  [P in Exclude<R, Required<R>> as P['name']]?: ValueOf<P> | undefined;
};

/** The parameters that a Premium Partner signs and sends for the on-ramp widget: strings by name. */
export type OnRampParams = ParamsOf<Given<'on-ramp'>>;

/** The parameters that a Premium Partner signs and sends for NFT checkout. */
export type NftParams = ParamsOf<Given<'nft'>> &
  (
    | { type: 'MARKET'; tokenId: string; ownerWalletAddress: string }
    | { type: 'MINT'; mintQuantity: string }
  );

/** The parameters of one widget, as {@link OnRampParams} or {@link NftParams}. */
export type ParamsFor<W extends Widget> = W extends 'nft' ? NftParams : OnRampParams;

/**
 * The parameters that a page proposes for signing: any parameters of the widget; the backend decides. No
 * value is `undefined`, so the type is assignable to {@link WidgetParams}.
 */
export type ProposedParams<W extends Widget = Widget> = {
  readonly [N in ParameterName<W>]?: string;
};
