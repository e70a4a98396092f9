import { messages as english } from '../../messages/en.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { Announcer } from './Announcer.js';
import { focusCard } from './focusCard.js';
import { type AmountFormats, formatAmount } from './formatAmount.js';
import { PaymentMethods } from './PaymentMethods.js';
import { QuoteRows } from './QuoteRows.js';
import { QuoteSum } from './QuoteSum.js';
import { statusText } from './statusText.js';
import type { QuotePreviewView } from './useQuotePreview.js';

export { buttonSelection } from './buttonSelection.js';

/** What is shown, with the words and figures to show it in. */
export interface QuoteCardView extends QuotePreviewView {
  readonly messages: RampMessages;
  readonly formats: AmountFormats;
}

export const cardView = (
  view: QuotePreviewView,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): QuoteCardView => ({
  ...view,
  messages: { ...english, ...messages },
  formats: formatAmount(locale || document.documentElement.lang || navigator.language),
});

/** The content of the card. */
export function QuoteCard({ view, id }: { view: QuoteCardView; id: string }) {
  const { status, error, messages, retry, choice } = view;
  const note = statusText(view);
  const hasRows = choice !== undefined || status === 'loading';
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
          <QuoteSum view={view} />
        </>
      )}
      <Announcer view={view} />
    </>
  );
}
