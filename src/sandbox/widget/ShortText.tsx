import type { ReactNode } from 'react';

/**
 * Shows only the two ends of a long address, hash or token. The shortening is done in CSS, so copying and screen
 * readers still get the full text.
 */
export function ShortText({ text }: { text: string }) {
  if (text.length <= 14) return <bdi>{text}</bdi>;
  return (
    <bdi title={text}>
      {text.slice(0, 6)}
      <span className="visually-hidden">{text.slice(6, -4)}</span>
      <span className="dots" aria-hidden="true" />
      {text.slice(-4)}
    </bdi>
  );
}

/** Marks the place in a message where {@link fillWithElement} puts the element. */
export const ELEMENT = '\n';

export function fillWithElement(message: string, element: ReactNode): ReactNode {
  const [before, after] = message.split(ELEMENT);
  return (
    <>
      {before}
      {element}
      {after}
    </>
  );
}
