import { fillText } from '../../../protocol/fillText.js';
import { focusCard } from '../../card/focusCard.js';
import type { QuoteCardView } from './QuoteCardView.js';

/** The text for an amount outside the limits; with a gap where the figure goes. */
export const getLimitText = ({ status, messages }: QuoteCardView): string =>
  status === 'below' ? messages.atLeast : messages.atMost;

/** Says what may be paid; the figure takes it. */
export function LimitMessage({ view, id }: { view: QuoteCardView; id: string }) {
  const { limit = '', choice, formats, change } = view;
  // The button takes the place of the amount.
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
