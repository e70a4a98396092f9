import { useEffect, useState } from 'react';

interface CopyableProps {
  /** What the value is, such as `wallet`, for the name of the button. */
  readonly name: string;
  readonly value: string;
}

/** Shows a value, shortened if it is long, with a button that copies the whole value. */
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

const COPIED_MS = 3000;

/** A button that copies a text, such as an answer to the shopper. If the browser forbids copying, shows the text. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <>
      <button type="button" className="quiet-button" onClick={copy}>
        {label}
      </button>
      <span className="copied" role="status">
        {state === 'copied' ? 'Copied' : ''}
      </span>
      {state === 'failed' && <p className="note">{text}</p>}
    </>
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
