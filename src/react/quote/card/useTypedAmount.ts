import { useState } from 'react';
import { parseTypedAmount } from '../../../client/quote/parseTypedAmount.js';
import type { QuoteForm } from '../../../client/quote/QuoteForm.js';
import type { QuoteTexts } from '../../../client/quote/quoteTexts.js';
import { fillText } from '../../../protocol/fillText.js';

/** What the amount field shows, and what the shopper does with it. */
export interface TypedAmount {
  /** The text in the field. */
  readonly text: string;
  /** What to tell the shopper if the text is not exactly one amount. */
  readonly refusal: string | undefined;
  /** Takes the text that the shopper has typed or pasted. */
  enter(text: string, pasted: boolean): void;
  /** Shows the amount as the card has read it, so that the shopper can check it. */
  leave(): void;
}

/**
 * Keeps the text exactly as the shopper types it, because dropping a character could turn it into another amount. While
 * the text is not exactly one amount, the card has no amount.
 */
export function useTypedAmount(
  { amount, change }: Pick<QuoteForm, 'amount' | 'change'>,
  { formats, messages }: QuoteTexts,
  maxDecimals: number,
): TypedAmount {
  const [typed, setTyped] = useState('');
  const parse = (text: string, pasted?: boolean) =>
    parseTypedAmount(text, maxDecimals, formats.signs(), pasted);
  const parsed = parse(typed);
  // Show the text as typed, for example with a trailing decimal point, while it has the same value as the amount.
  const isTyped = typed !== '' && (parsed ?? '') === amount;
  const isUnclear = isTyped && parsed === undefined;
  return {
    text: isTyped ? typed : formats.ungrouped(amount),
    refusal: isUnclear
      ? fillText(messages.unclearAmount, { example: formats.ungrouped('1500.50') })
      : undefined,
    enter(text, pasted) {
      const next = parse(text, pasted);
      setTyped(pasted && next !== undefined ? '' : text);
      if ((next ?? '') !== amount) change({ amount: next ?? '' });
    },
    leave() {
      if (!isUnclear) setTyped('');
    },
  };
}
