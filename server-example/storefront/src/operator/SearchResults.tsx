import { useEffect, useRef } from 'react';
import { OrderTable } from './OrderRows.js';
import { type OperatorFindings, toRows } from './operatorData.js';

interface SearchResultsProps {
  readonly text: string;
  readonly findings: OperatorFindings | undefined;
  /** Why the server refused the search. */
  readonly refusal: string | undefined;
  readonly onClear: () => void;
}

/** Shows what a search found. The focus moves to the heading, so that the results follow in the tab order. */
export function SearchResults({ text, findings, refusal, onClear }: SearchResultsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves after each search
  useEffect(() => heading.current?.focus(), [text]);
  const rows = findings ? toRows(findings) : [];
  return (
    <section className="operator-section" aria-labelledby="found">
      <div className="found-head">
        <h2 id="found" ref={heading} tabIndex={-1}>
          {refusal
            ? 'Not searched'
            : findings
              ? describeCount(rows.length, findings)
              : 'Searching…'}
        </h2>
        <button type="button" className="quiet-button" onClick={onClear}>
          Clear search
        </button>
      </div>
      {refusal && (
        <p className="error-message" role="alert">
          {refusal}
        </p>
      )}
      {findings && rows.length === 0 && (
        <div className="empty">
          <p>No checkout or order has this {guessKind(text)}.</p>
          <p>
            Ask the shopper for the wallet beside their name in the shop, or for the reference in
            “Your orders”.
          </p>
        </div>
      )}
      {rows.length > 0 && <OrderTable rows={rows} caption="Search results, newest first" />}
      {findings?.isCut && (
        <p className="operator-note">There may be more. Search for a longer part.</p>
      )}
    </section>
  );
}

const describeCount = (count: number, { isCut }: OperatorFindings): string => {
  if (count === 0) return 'Nothing found';
  return `${isCut ? 'The first ' : ''}${count} ${count === 1 ? 'result' : 'results'}`;
};

/** Returns what a text looks like, so that the message names what was searched. */
export function guessKind(text: string): string {
  const plain = text.replace(/\s/g, '');
  if (/^0x[0-9a-f]{40}$/i.test(plain)) return 'wallet';
  if (/^0x[0-9a-f]{64}$/i.test(plain)) return 'transaction';
  if (/^[0-9a-f]{32}$/i.test(plain)) return 'order number';
  if (/^[\w-]{22}$/.test(plain)) return 'reference';
  return 'reference, order, wallet or transaction';
}
