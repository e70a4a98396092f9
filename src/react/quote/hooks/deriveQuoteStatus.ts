import type { RampErrorCode } from '../../../protocol/errors/RampError.js';
import type { QuoteStatus } from './QuoteState.js';

/** The facts about a query. */
export interface QuoteFacts {
  readonly asked: boolean;
  readonly online: boolean;
  readonly fetching: boolean;
  /** The data belongs to this query, to an earlier one, or is missing. */
  readonly data: 'own' | 'previous' | undefined;
  /** The service is down and the backend returned its last data. */
  readonly stale: boolean | undefined;
  readonly code: RampErrorCode | undefined;
}

/** Derives the status from the facts. */
export function deriveQuoteStatus(facts: QuoteFacts): QuoteStatus {
  const { asked, online, fetching, data, stale, code } = facts;
  if (!asked) return 'idle';
  if (code === 'ERR_QUOTE_UNAVAILABLE') return 'unavailable';
  if (!online) return 'offline';
  if (data === 'own') return fetching ? 'refreshing' : stale || code ? 'stale' : 'quote';
  if (code) return 'error';
  return data ? 'refreshing' : 'loading';
}
