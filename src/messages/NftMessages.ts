import type { PluralText } from '../protocol/fillText.js';

/** The texts of the NFT card. A translation can place the `{placeholders}` in any order. */
export interface NftMessages {
  /** `{amount}`: the button of an NFT of type `MARKET`. */
  readonly buyFor: string;
  /** `{count}`, `{amount}`: the button of an NFT of type `MINT`. */
  readonly mintFor: PluralText;
  /** The accessible name of the quantity stepper. */
  readonly quantity: string;
  readonly decreaseQuantity: string;
  readonly increaseQuantity: string;
}

/**
 * The English texts of the NFT card. They are in a separate file, because the entry chunk needs them without the texts
 * of the other components.
 */
export const nftEnglish: NftMessages = {
  buyFor: 'Buy for {amount}',
  mintFor: 'Mint {count} for {amount}',
  quantity: 'Quantity',
  decreaseQuantity: 'Decrease',
  increaseQuantity: 'Increase',
};
