import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /** What it copies, for those who do not see where it stands. */
  readonly what: string;
}

/** Copies a text to the character. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [said, setSaid] = useState({ text: '', word: '' });
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid({ text, word: 'Copied' }),
      () => setSaid({ text, word: 'Select and copy it' }),
    );
  return (
    <span className="signing-copy">
      <span role="status">{said.text === text && said.word}</span>
      <button type="button" aria-label={`Copy ${what}`} onClick={copy}>
        Copy
      </button>
    </span>
  );
}
