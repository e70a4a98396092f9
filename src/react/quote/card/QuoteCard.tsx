import { focusCard } from '../../card/focusCard.js';
import { Announcer } from './Announcer.js';
import { describeQuoteStatus } from './describeQuoteStatus.js';
import { PaymentMethods } from './PaymentMethods.js';
import { PriceBreakdown } from './PriceBreakdown.js';
import type { QuoteCardView } from './QuoteCardView.js';
import { QuoteRows } from './QuoteRows.js';

/** The content of the card. */
export function QuoteCard({ view, id }: { view: QuoteCardView; id: string }) {
  const { status, error, messages, retry, choice } = view;
  const note = describeQuoteStatus(view);
  // Keep the amount field mounted while the lists may still load.
  const hasRows = choice !== undefined || status === 'loading' || status === 'offline';
  return (
    <>
      {hasRows && <QuoteRows view={view} id={`${id}amount`} />}
      {note && (
        <p className="ramp-quote-note">
          {note}{' '}
          {error && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                focusCard(currentTarget);
                retry();
              }}
            >
              {messages.retry}
            </button>
          )}
        </p>
      )}
      {hasRows && (
        <>
          <PaymentMethods view={view} name={`${id}method`} />
          <PriceBreakdown view={view} />
        </>
      )}
      <Announcer view={view} />
    </>
  );
}
