import { useEffect, useRef, useState } from 'react';
import type { Quote } from '../../protocol/api/resources.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { useCryptoCurrencies, useFiatCurrencies } from './hooks/useCurrencies.js';
import { type QuoteState, type QuoteStatus, useDebouncedQuote } from './hooks/useQuote.js';
import type { QuotePreviewProps } from './QuotePreview.js';
import {
  type Choice,
  filterOffer,
  findExceededLimit,
  type Offer,
  type QuoteSelection,
  resolveChoice,
  toQuoteQuery,
} from './selection.js';

/**
 * The state of the card: a {@link QuoteStatus}, `empty` (no currency is available), `below` or `above` (the amount is
 * outside the limits, so no quote is fetched). `idle`: without an amount.
 */
export type QuotePreviewStatus = QuoteStatus | 'empty' | 'below' | 'above';

/** The argument of `children` and `render`. */
export interface QuotePreviewState {
  /** The state of the card. */
  readonly status: QuotePreviewStatus;
  /** The selection, once the currencies are known. */
  readonly selection: QuoteSelection | undefined;
  /** The last quote; with `isPrevious` it belongs to an earlier selection. */
  readonly data: Quote | undefined;
  /** Whether `data` belongs to an earlier selection. */
  readonly isPrevious: boolean;
  /** The error of the last request. */
  readonly error: RampError | undefined;
  /** With `below` and `above`: the minimum or maximum payment, in the fiat currency. */
  readonly limit: string | undefined;
  /** Sends the failed requests again. */
  readonly retry: () => void;
}

/** The state and actions of the card, without texts. */
export interface QuotePreviewView extends QuotePreviewState {
  readonly nft: boolean;
  readonly offer: Offer;
  readonly choice: Choice | undefined;
  readonly amount: string;
  readonly timing: Pick<QuoteState, 'quotedAt' | 'nextQuoteAt' | 'refreshSeconds'>;
  readonly change: (part: Partial<QuoteSelection>) => void;
}

/** Returns the state of a {@link QuotePreview}, without texts and markup. */
export function useQuotePreview(
  props: QuotePreviewProps,
  settings: BackendSettings,
): QuotePreviewView {
  const { buyType, omitPayment, value, onValueChange, onQuote, refreshSeconds } = props;
  const nft = buyType === 'nft';
  const digits = nft ? 18 : 2;
  const [ownSelection, setOwnSelection] = useState(props.defaultValue ?? {});
  const [edited, setEdited] = useState(false);
  const wanted = value ?? ownSelection;
  const fiats = useFiatCurrencies(settings);
  const cryptos = useCryptoCurrencies({ ...settings, buyType });
  const all = { fiats: fiats.data ?? [], cryptos: cryptos.data ?? [] };
  const offer = filterOffer(all, props);
  const choice = resolveChoice(offer, props, wanted, digits);
  const query =
    choice &&
    toQuoteQuery(
      omitPayment ? { ...choice.selection, payment: undefined } : choice.selection,
      nft ? 'nft' : undefined,
    );
  const exceeded =
    query && !nft ? findExceededLimit(query.currencyAmount, choice.method) : undefined;
  const quoted = useDebouncedQuote(
    exceeded ? undefined : query,
    { ...settings, refreshSeconds },
    // The initial amount is not typed, so it is requested immediately.
    edited ? undefined : 0,
  );
  const { data, isPrevious } = quoted;

  // The list that the card waits for.
  const pendingList = fiats.data ? cryptos : fiats;
  const present = isPrevious ? undefined : data;
  const lastReported = useRef<Quote>(undefined);
  useEffect(() => {
    if (lastReported.current === present) return;
    lastReported.current = present;
    onQuote?.(present);
  }, [onQuote, present]);
  const { error } = pendingList.status === 'success' ? quoted : pendingList;
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production')
      import('./checkPreview.js').then(({ checkPreview }) =>
        checkPreview(props, wanted, offer, choice),
      );
  });

  const status: QuotePreviewStatus =
    pendingList.status !== 'success'
      ? pendingList.status
      : choice
        ? (exceeded?.status ?? quoted.status)
        : 'empty';
  return {
    status,
    selection: choice?.selection,
    data,
    isPrevious,
    error,
    limit: exceeded?.limit,
    retry() {
      for (const request of [fiats, cryptos, quoted]) if (request.error) request.retry();
    },
    nft,
    offer,
    choice,
    amount: choice?.selection.amount ?? wanted.amount ?? '',
    timing: quoted,
    change(part) {
      if (part.amount !== undefined) setEdited(true);
      const next = { ...(choice?.selection ?? wanted), ...part };
      if (!value) setOwnSelection(next);
      const complete =
        resolveChoice(offer, props, next, digits)?.selection ?? (value && { ...value, ...part });
      if (complete) onValueChange?.(complete);
    },
  };
}
