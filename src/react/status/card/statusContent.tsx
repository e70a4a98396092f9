// The content of the status card is one chunk, which loads during the first request to the backend.
import { useEffect, useRef } from 'react';
import { focusCard } from '../../card/focusCard.js';
import { addShownCheckout } from '../shownCheckouts.js';
import { OrderDetails } from './OrderDetails.js';
import { SettlementLine, StatusSteps } from './StatusSteps.js';
import { describeStatus, type StatusView } from './statusView.js';

export { getCardOf, subscribeShownCheckouts } from '../shownCheckouts.js';
export { createStatusView, describeStatus } from './statusView.js';

/** The live region of the card: the state, its explanation, and a connection problem. */
export function StatusHead({ view }: { view: StatusView }) {
  const { checkout, trouble, messages } = view;
  const [title, hint] = describeStatus(view);
  const heading = useRef<HTMLParagraphElement>(null);
  const reference = checkout?.reference;
  useEffect(() => {
    const { current } = heading;
    const card = current?.closest('.ramp-status') ?? current;
    return reference && card ? addShownCheckout(reference, card) : undefined;
  }, [reference]);
  return (
    <>
      <p ref={heading} className="ramp-status-title">
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
              <strong>{messages.connectionLost}</strong> {messages.connectionLostHint}
            </>
          ) : (
            messages.unknownOrderHint
          )}
        </p>
      )}
    </>
  );
}

/** The steps, the settlement, and the details of each order. */
export function StatusBody({ view }: { view: StatusView }) {
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
      {checkout && <StatusSteps checkout={checkout} view={view} />}
      {checkout && <SettlementLine checkout={checkout} view={view} />}
      {checkout?.orders.map((order, i, { length }) => (
        // The index is a stable key, because orders are only ever appended. A page gets no id of an order.
        <OrderDetails
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={i}
          order={order}
          isNft={checkout.widget === 'nft'}
          number={length > 1 ? i + 1 : undefined}
          view={view}
        />
      ))}
    </>
  );
}
