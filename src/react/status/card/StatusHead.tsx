import type { StatusView } from './createStatusView.js';
import { describeStatus } from './describeStatus.js';

/** The live region of the card: the state, its explanation, and a connection problem. */
export function StatusHead({ view }: { view: StatusView }) {
  const { checkout, trouble, messages } = view;
  const [title, hint] = describeStatus(view);
  return (
    <>
      <p className="ramp-status-title">{title}</p>
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
