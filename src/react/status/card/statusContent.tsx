// The content of the status card is one chunk, which loads during the first request to the backend.
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { focusCard } from '../../../client/focusCard.js';
import { addShownCheckout } from '../../../client/pageCheckouts.js';
import { describeStatus, type StatusView } from '../../../client/status/statusView.js';
import { isTerminal } from '../../../protocol/handler/progress.js';
import type { ContinueSettings } from '../continue/ContinueCheckout.js';
import { ContinueCheckout, canContinue, useIsWidgetOpen } from '../continue/ContinueCheckout.js';
import { OrderDetails } from './OrderDetails.js';
import { Receipt } from './Receipt.js';
import { SettlementLine, StatusSteps } from './StatusSteps.js';

export { createStatusView } from '../../../client/status/statusView.js';
export { OtherCheckouts } from './OtherCheckouts.js';

interface StatusContentProps {
  readonly view: StatusView;
  readonly settings: ContinueSettings;
}

/** How long a card's first state is not announced, in milliseconds. */
const SILENT_MS = 1000;

/** The live region of the card: the state, its explanation, and a connection problem. */
export function StatusHead({ view, settings }: StatusContentProps) {
  const { checkout, trouble, messages } = view;
  const isWidgetOpen = useIsWidgetOpen(checkout?.reference);
  const [title, hint] = describeStatus(view, canContinue(checkout, settings) && !isWidgetOpen);
  const id = useId();
  const heading = useRef<HTMLParagraphElement>(null);
  const reference = checkout?.reference;
  useLayoutEffect(() => {
    const region = heading.current?.closest('[role="status"]');
    // The ID also shows that the card has already shown a first state.
    if (!region || region.id) return;
    region.id = id;
    // Describe the card, so that screen readers announce its state when it gets the focus.
    const card = region.closest('.ramp-status');
    if (!card?.hasAttribute('aria-describedby')) card?.setAttribute('aria-describedby', id);
    // An order that had ended before the page was loaded is not news, so announce only what changes later.
    if (!checkout || !isTerminal(checkout)) return;
    region.setAttribute('aria-live', 'off');
    setTimeout(() => region.removeAttribute('aria-live'), SILENT_MS);
  });
  useEffect(() => {
    const { current } = heading;
    const card = current?.closest('.ramp-status') ?? current;
    return reference && card ? addShownCheckout(reference, card) : undefined;
  }, [reference]);
  return (
    <>
      {/* With level 2, no heading level is skipped, wherever the page places the card. */}
      {/* biome-ignore lint/a11y/useSemanticElements: an h2 would get the page's styles of headings */}
      <p ref={heading} role="heading" aria-level={2} className="ramp-status-title">
        {title}
      </p>
      <p className="ramp-status-hint">{hint}</p>
      {(checkout?.underReview ?? 0) > 0 && (
        <p className="ramp-status-hint">{messages.underReview}</p>
      )}
      {checkout && trouble && (
        <p className="ramp-status-warning">
          {trouble === 'lost' ? (
            <>
              <strong>{`${messages.connectionLost} `}</strong>
              <span>{messages.connectionLostHint}</span>
            </>
          ) : (
            messages.unknownOrderHint
          )}
        </p>
      )}
    </>
  );
}

/** The button that continues the checkout, the steps, the settlement, and the details of each order. */
export function StatusBody({ view, settings }: StatusContentProps) {
  const { checkout, trouble, messages, retry } = view;
  return (
    <>
      {trouble && trouble !== 'broken' && (
        <button
          type="button"
          className="ramp-status-retry"
          onClick={({ currentTarget }) => {
            focusCard(currentTarget);
            retry?.();
          }}
        >
          {messages.retry}
        </button>
      )}
      {checkout && (
        <ContinueCheckout
          key={checkout.reference}
          checkout={checkout}
          settings={settings}
          onOutcome={retry}
        />
      )}
      {/* Show no steps for a resolved checkout, because an open step would contradict its title. */}
      {checkout && !checkout.resolution && <StatusSteps checkout={checkout} view={view} />}
      {checkout && !checkout.resolution && <SettlementLine checkout={checkout} view={view} />}
      {checkout?.orders.map((order, i, { length }) => (
        // The index is a stable key, because orders are only ever appended.
        <OrderDetails
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={i}
          order={order}
          isNft={checkout.widget === 'nft'}
          number={length > 1 ? i + 1 : undefined}
          view={view}
        />
      ))}
      {checkout && checkout.progress !== 'waiting' && <Receipt checkout={checkout} view={view} />}
    </>
  );
}
