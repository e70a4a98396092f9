import { fillText } from '../../../protocol/fillText.js';
import { focusCard } from '../../card/focusCard.js';
import type { QuoteCardView } from './QuoteCardView.js';

/** Returns the text for an amount outside the limits, with the placeholder `{amount}`. */
export const getLimitText = ({ status, messages }: QuoteCardView): string =>
  status === 'below' ? messages.atLeast : messages.atMost;

/** Shows the exceeded limit; its amount is a button that enters it. */
export function LimitMessage({ view, id }: { view: QuoteCardView; id: string }) {
  const { limit = '', choice, formats, change } = view;
  // Split the text at the amount, which is a button.
  const [before, after] = fillText(getLimitText(view), { amount: '\n' }).split('\n');
  return (
    <p id={id} className="ramp-quote-limit">
      {before}
      <button
        type="button"
        onClick={({ currentTarget }) => {
          focusCard(currentTarget);
          change({ amount: limit });
        }}
      >
        <bdi>{formats.coin(limit, choice?.selection.fiatCurrency ?? '')}</bdi>
      </button>
      {after}
    </p>
  );
}
