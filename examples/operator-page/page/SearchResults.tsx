import { useEffect, useRef } from 'react';
import { OrderTable } from './OrderRows.js';
import { type OperatorFindings, toHash, toRows } from './operatorData.js';
import { guessKind, parseSearch } from './parseSearch.js';

/** A search of the operator. Each search is a new object, even with the same text, so that effects run again. */
export interface Search {
  readonly text: string;
}

interface SearchResultsProps {
  readonly search: Search;
  readonly findings: OperatorFindings | undefined;
  /** Why the server refused the search. */
  readonly refusal: string | undefined;
  readonly onClear: () => void;
}

/**
 * Shows what a search found. If there is only one result, opens it at once. The focus moves to the heading, so that the
 * results follow in the tab order.
 */
export function SearchResults({ search, findings, refusal, onClear }: SearchResultsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves after each search
  useEffect(() => heading.current?.focus(), [search]);
  const rows = findings ? toRows(findings) : [];
  const opened = useRef<Search>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first response to a search opens its result
  useEffect(() => {
    if (!findings || opened.current === search) return;
    opened.current = search;
    const [row] = rows;
    // Setting the hash adds an entry to the history, so that Back leads from the drawer to the results.
    if (row && rows.length === 1) window.location.hash = toHash(row.order ?? row.checkout);
  }, [search, findings]);
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
          <p>No checkout or order has this {guessKind(parseSearch(search.text))}.</p>
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
