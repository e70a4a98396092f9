import './copyButton.css';
import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /** The name of the text in the button's accessible name, such as `the URL`. */
  readonly what: string;
}

/** A button that copies a text, and announces whether the browser allowed that. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [result, setResult] = useState({ text: '', message: '' });
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setResult({ text, message: 'Copied' }),
      () => setResult({ text, message: 'Select the text to copy it' }),
    );
  return (
    <span className="copy">
      <span role="status">{result.text === text && result.message}</span>
      <button type="button" aria-label={`Copy ${what}`} onClick={copy}>
        Copy
      </button>
    </span>
  );
}
