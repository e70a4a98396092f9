import { useState } from 'react';
import { amountSize } from './amountSize.js';
import { parseTypedAmount } from './parseTypedAmount.js';
import type { QuoteCardView } from './QuoteCardView.js';

interface AmountFieldProps {
  readonly view: QuoteCardView;
  readonly id: string;
  /** The id of the message about the limit. */
  readonly describedBy: string | undefined;
}

/** The field for the amount: it shows the number format of the locale and returns a plain decimal. */
export function AmountField({ view, id, describedBy }: AmountFieldProps) {
  const { amount, nft, formats, change } = view;
  const [text, setText] = useState('');
  const digits = nft ? 18 : 2;
  // Keep the typed text, such as a trailing decimal point, while it has the same value as the amount.
  const shown = parseTypedAmount(text, digits) === amount ? text : formats.ungrouped(amount);
  return (
    <input
      id={id}
      className="ramp-quote-amount"
      inputMode="decimal"
      autoComplete="off"
      placeholder={formats.number('0')}
      aria-invalid={view.limit !== undefined}
      aria-describedby={describedBy}
      data-size={amountSize(shown)}
      value={shown}
      onKeyDown={(event) => {
        // Do not submit a form around the card.
        if (event.key === 'Enter') event.preventDefault();
      }}
      // Show the parsed amount, so that the shopper can check it.
      onBlur={() => setText('')}
      onChange={({ target, nativeEvent }) => {
        const pasted = 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste';
        const read = parseTypedAmount(target.value, digits, pasted);
        if (read === undefined) return;
        setText(pasted ? '' : target.value);
        if (read !== amount) change({ amount: read });
      }}
    />
  );
}
