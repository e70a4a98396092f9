import { useState } from 'react';

interface CopyableProps {
  /** What the value is, such as `wallet`, for the name of the button. */
  readonly name: string;
  readonly value: string;
}

/** Shows a value with a button that copies all of it, although a long one is shortened. */
export function Copyable({ name, value }: CopyableProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setState('copied'),
      // The browser does not allow copying: show the whole value, so that it can be selected.
      () => setState('failed'),
    );
  };
  return (
    <span className="copyable">
      {state === 'failed' ? <code dir="ltr">{value}</code> : <Short value={value} />}
      <button type="button" className="copy-button" onClick={copy}>
        {state === 'copied' ? 'Copied' : 'Copy'} <span className="visually-hidden">{name}</span>
      </button>
    </span>
  );
}

const MAX_LENGTH = 24;

/** Shortens a long value only visually: copied text and screen readers get all of it. */
export function Short({ value }: { value: string }) {
  if (value.length <= MAX_LENGTH) return <code dir="auto">{value}</code>;
  return (
    <code className="short" dir="ltr" title={value}>
      {value.slice(0, 6)}
      <span className="wallet-middle">{value.slice(6, -4)}</span>
      <span className="wallet-dots" aria-hidden="true" />
      {value.slice(-4)}
    </code>
  );
}
