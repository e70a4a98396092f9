import { useState } from 'react';
import { amountSize } from './amountSize.js';
import { parseTypedAmount } from './parseTypedAmount.js';
import type { QuoteCardView } from './QuoteCardView.js';

interface AmountFieldProps {
  readonly view: QuoteCardView;
  readonly id: string;
  /** The id of the sentence about the limit. */
  readonly describedBy: string | undefined;
}

/** Where the amount is typed, as the reader writes figures; handed out as a plain decimal. */
export function AmountField({ view, id, describedBy }: AmountFieldProps) {
  const { amount, nft, formats, change } = view;
  const [text, setText] = useState('');
  const digits = nft ? 18 : 2;
  // What was typed stays as it was typed, such as a point at the end, while it means the amount.
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
        // A form around the card is not sent by it.
        if (event.key === 'Enter') event.preventDefault();
      }}
      // As the amount was read, so that it can be seen how.
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
