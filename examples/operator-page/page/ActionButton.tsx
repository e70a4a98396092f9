import { useEffect, useState } from 'react';
import { describeError } from './operatorData.js';

/** The time after which a result disappears. An error stays. */
const RESULT_MS = 10_000;

interface ActionButtonProps {
  readonly label: string;
  /** Shown while the action runs. */
  readonly busyText: string;
  /** Runs the action, and resolves with its result as a text. */
  readonly action: () => Promise<string>;
}

/** A button that shows the result of its action, or why it failed, beside it. */
export function ActionButton({ label, busyText, action }: ActionButtonProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'failed'>('idle');
  const [text, setText] = useState('');
  useEffect(() => {
    if (state !== 'done') return;
    const timer = setTimeout(() => setText(''), RESULT_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const end = (ended: 'done' | 'failed', result: string) => {
    setState(ended);
    setText(result);
  };
  const run = () => {
    if (state === 'busy') return;
    setState('busy');
    setText(busyText);
    action().then(
      (result) => end('done', result),
      (error) => end('failed', describeError(error)),
    );
  };
  return (
    <div className="action">
      <button type="button" className="quiet-button" aria-busy={state === 'busy'} onClick={run}>
        {label}
      </button>
      <p role="status">{text}</p>
    </div>
  );
}
