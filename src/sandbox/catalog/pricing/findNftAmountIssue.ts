import type { Purchase, SandboxQuote } from './createOnRampQuote.js';
import { findAmountIssue } from './findAmountIssue.js';

/** What is wrong with the fiat amount that an NFT's price comes to, to follow its name. */
export function findNftAmountIssue(
  { fiat, option }: Purchase,
  { currencyAmount }: SandboxQuote,
): string | undefined {
  const outside = findAmountIssue(fiat, option, currencyAmount);
  return outside && `comes to ${currencyAmount} ${fiat.code}, which ${outside}`;
}
