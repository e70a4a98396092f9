import { amountIssue } from './amount-issue.js';
import type { Purchase, Quote } from './quote.js';

/** What is wrong with the fiat amount that an NFT's price comes to, to follow its name. */
export function nftAmountIssue(
  { fiat, option }: Purchase,
  { currencyAmount }: Quote,
): string | undefined {
  const outside = amountIssue(fiat, option, currencyAmount);
  return outside && `comes to ${currencyAmount} ${fiat.code}, which ${outside}`;
}
