/** The texts of the NFT card. What stands in braces is filled in, in any order. */
export interface NftMessages {
  /** `{amount}`: the button of one that somebody holds. */
  readonly buyFor: string;
  /** `{count}`, `{amount}`: the button of what is made. */
  readonly mintFor: string;
  /** The name of the stepper, for a screen reader. */
  readonly quantity: string;
  readonly decreaseQuantity: string;
  readonly increaseQuantity: string;
}

/** In English; apart from the other texts, as a card needs them at once. */
export const nftEnglish: NftMessages = {
  buyFor: 'Buy for {amount}',
  mintFor: 'Mint {count} for {amount}',
  quantity: 'How many',
  decreaseQuantity: 'One fewer',
  increaseQuantity: 'One more',
};
