import { focusCard } from './focusCard.js';
import type { QuoteCardView } from './QuoteCard.js';

/** The text for an amount outside the limits; with a gap where the figure goes. */
export function limitText({ status, choice, messages }: QuoteCardView): string {
  if (status === 'below') return choice?.method ? messages.atLeastWithMethod : messages.atLeast;
  return choice?.method ? messages.atMostWithMethod : messages.atMost;
}

/** Says what may be paid; the figure takes it. */
export function LimitSentence({ view, id }: { view: QuoteCardView; id: string }) {
  const { limit = '', choice, formats, change } = view;
  const [before, after] = limitText(view).split('{amount}');
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
