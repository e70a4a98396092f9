import type { RampErrorCode } from '../../../protocol/errors/RampError.js';
import type { QuoteStatus } from './QuoteState.js';

/** What is known about a question. */
export interface QuoteFacts {
  readonly asked: boolean;
  readonly online: boolean;
  readonly fetching: boolean;
  /** An answer to this question, to an earlier one, or none. */
  readonly data: 'own' | 'previous' | undefined;
  /** The service is down and the backend gave its last word. */
  readonly stale: boolean | undefined;
  readonly code: RampErrorCode | undefined;
}

/** The one state that these facts make. */
export function deriveQuoteStatus(facts: QuoteFacts): QuoteStatus {
  const { asked, online, fetching, data, stale, code } = facts;
  if (!asked) return 'idle';
  if (code === 'ERR_QUOTE_UNAVAILABLE') return 'unavailable';
  if (!online) return 'offline';
  if (data === 'own') return fetching ? 'refreshing' : stale || code ? 'stale' : 'quote';
  if (code) return 'error';
  return data ? 'refreshing' : 'loading';
}
