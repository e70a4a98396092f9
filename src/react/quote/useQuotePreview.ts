import { useEffect, useRef, useState } from 'react';
import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import { callIsolated } from '../../client/callIsolated.js';
import {
  type AmountLimit,
  type Choice,
  filterOffer,
  findExceededLimit,
  type Offer,
  type QuoteSelection,
  resolveChoice,
  toQuoteQuery,
} from '../../client/quote/selection.js';
import type { Quote } from '../../protocol/api/resources.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import { useCryptoCurrencies, useFiatCurrencies } from './hooks/useCurrencies.js';
import { type QuoteState, type QuoteStatus, useDebouncedQuote } from './hooks/useQuote.js';
import { useLibrary } from './hooks/useReactQuery.js';
import type { QuotePreviewProps } from './QuotePreview.js';

/**
 * The state of the card. In addition to each {@link QuoteStatus}, it can be `empty` if no currency is available, and
 * `below` or `above` if the amount is outside the limits. In these three states, no quote is fetched.
 */
export type QuotePreviewStatus = QuoteStatus | 'empty' | 'below' | 'above';

/** What the functions `children` and `render` of {@link QuotePreview} receive. */
export interface QuotePreviewState {
  /** The same as the card's attribute `data-state`. */
  readonly status: QuotePreviewStatus;
  /** The selection, once the currencies are known. */
  readonly selection: QuoteSelection | undefined;
  /** The last quote, which may be that of an earlier selection: see `isPrevious`. */
  readonly data: Quote | undefined;
  /** True if `data` belongs to an earlier selection, and is therefore not the current price. */
  readonly isPrevious: boolean;
  /** The error of the last request, for a quote or for a list of currencies. */
  readonly error: RampError | undefined;
  /** The minimum payment if the status is `below`, the maximum if it is `above`, in the fiat currency. */
  readonly limit: string | undefined;
  /** Sends the failed requests again. */
  readonly retry: () => void;
}

/** The state and actions of the card, without texts. */
export interface QuotePreviewView extends QuotePreviewState {
  readonly nft: boolean;
  /** Set if react-query could not be loaded. The card then offers no retry, because Chromium caches the failure. */
  readonly loadError: RampError | undefined;
  readonly offer: Offer;
  readonly choice: Choice | undefined;
  readonly amount: string;
  readonly timing: Pick<QuoteState, 'quotedAt' | 'nextQuoteAt' | 'refreshSeconds'>;
  readonly change: (part: Partial<QuoteSelection>) => void;
  /** Returns the limit that an amount violates with the selected payment method, if any. */
  readonly findLimit: (amount: string) => AmountLimit | undefined;
}

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
    // The shopper has not typed the initial amount, so request it without a debounce.
    edited ? undefined : 0,
  );
  const { data, isPrevious } = quoted;
  const { error: loadError } = useLibrary();

  // The list that decides the state of the card, until both lists have loaded.
  const pendingList = fiats.data ? cryptos : fiats;
  const present = isPrevious ? undefined : data;
  const lastReported = useRef<Quote>(undefined);
  useEffect(() => {
    if (lastReported.current === present) return;
    lastReported.current = present;
    callIsolated(() => onQuote?.(present));
  }, [onQuote, present]);
  const { error } = pendingList.status === 'success' ? quoted : pendingList;
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production')
      import('./checkPreview.js').then(({ checkPreview }) =>
        checkPreview(props, wanted, offer, choice, all.cryptos),
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
    loadError,
    offer,
    choice,
    amount: choice?.selection.amount ?? wanted.amount ?? '',
    timing: quoted,
    findLimit: (amount) => findExceededLimit(amount, choice?.method),
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
