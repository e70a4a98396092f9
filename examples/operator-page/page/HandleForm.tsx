import { messages } from '@partner-ramp/react/messages/en';
import { type FormEvent, useId, useState } from 'react';
import { describeError, type Outcome, requestHandled } from './operatorData.js';
import { OUTCOME_HINTS, OUTCOME_LABELS } from './texts.js';

const MAX_NOTE = 2000;

const SHOPPER_TEXTS: Readonly<Record<Outcome, string>> = {
  refunded: `${messages.refunded}. ${messages.refundedHint}`,
  delivered: `${messages.delivered}. ${messages.deliveredByHandHint}`,
  closed: `${messages.closed}. ${messages.closedHint}`,
};

interface HandleFormProps {
  readonly orderId: string;
  /** The outcome that was recorded before. */
  readonly seen: Outcome | undefined;
  /** The note of a case that was handled before and is open again. */
  readonly earlierNote: string;
  readonly onHandled: (handledAt: number) => void;
  /** Called when the request failed, for example because a colleague handled the case first. */
  readonly onRefused: () => void;
}

/** Asks what the operator does about a case, and closes the case. */
export function HandleForm({ orderId, seen, earlierNote, onHandled, onRefused }: HandleFormProps) {
  const id = useId();
  const [outcome, setOutcome] = useState<Outcome>();
  const [note, setNote] = useState(earlierNote);
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const isTooLong = note.length > MAX_NOTE;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (!outcome) return setProblem('Choose what happens to the order.');
    if (isTooLong) return setProblem('Shorten the note.');
    setProblem('');
    setIsBusy(true);
    requestHandled(orderId, { outcome, note, seen }).then(
      ({ handledAt }) => onHandled(handledAt),
      (error) => {
        setIsBusy(false);
        setProblem(describeError(error));
        onRefused();
      },
    );
  };
  return (
    <form className="handle" onSubmit={submit} noValidate>
      <fieldset>
        <legend>What happens to the order?</legend>
        {(['refunded', 'delivered', 'closed'] as const).map((name) => (
          <label key={name} className="outcome">
            <input
              type="radio"
              name={`${id}-outcome`}
              checked={outcome === name}
              onChange={() => setOutcome(name)}
            />
            <span>
              {OUTCOME_LABELS[name]}
              <span className="outcome-text">{OUTCOME_HINTS[name]}</span>
              <span className="outcome-text">The shopper reads: {SHOPPER_TEXTS[name]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label htmlFor={`${id}-note`}>Note for colleagues. The shopper doesn’t see it.</label>
      <textarea
        id={`${id}-note`}
        dir="auto"
        rows={3}
        value={note}
        aria-invalid={isTooLong}
        aria-describedby={`${id}-count`}
        onChange={({ target }) => setNote(target.value)}
      />
      <p id={`${id}-count`} className={isTooLong ? 'error-message' : 'note-count'}>
        {note.length.toLocaleString('en')} of {MAX_NOTE.toLocaleString('en')} characters
        {isTooLong && '. Shorten it, and keep the rest in your support system.'}
      </p>
      <p className="error-message" role="alert">
        {problem}
      </p>
      <button type="submit" className="strong-button" aria-busy={isBusy}>
        Mark as handled
      </button>
    </form>
  );
}
