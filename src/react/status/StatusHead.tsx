import type { StatusView } from './statusView.js';
import { statusWords } from './statusWords.js';

/** What a screen reader is told at each change: the state, what it means, and what is in the way. */
export function StatusHead({ view }: { view: StatusView }) {
  const { answer, trouble, messages } = view;
  const [title, hint] = statusWords(view);
  return (
    <>
      <p className="ramp-status-title">{title}</p>
      <p className="ramp-status-hint">{hint}</p>
      {(answer?.underReview ?? 0) > 0 && <p className="ramp-status-hint">{messages.underReview}</p>}
      {answer && trouble && (
        <p className="ramp-status-trouble">
          {trouble === 'lost' ? (
            <>
              <strong>{messages.lost}</strong> {messages.lostHint}
            </>
          ) : (
            messages.unknownOrderHint
          )}
        </p>
      )}
    </>
  );
}
