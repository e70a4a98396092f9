import type { Purchase, SandboxQuote } from './createOnRampQuote.js';
import { findAmountIssue } from './findAmountIssue.js';

/** Returns why the fiat amount of an NFT's price is invalid, as a text that follows the name of the parameter. */
export function findNftAmountIssue(
  { fiat, option }: Purchase,
  { currencyAmount }: SandboxQuote,
): string | undefined {
  const outside = findAmountIssue(fiat, option, currencyAmount);
  return outside && `converts to ${currencyAmount} ${fiat.code}, which ${outside}`;
}
