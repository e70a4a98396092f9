import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { callIsolated } from '../../../client/callIsolated.js';
import type {
  QuoteForm,
  QuotePreviewOptions,
  QuotePreviewStatus,
} from '../../../client/quote/QuoteForm.js';
import {
  cryptoCurrenciesQueryOptions,
  fiatCurrenciesQueryOptions,
} from '../../../client/quote/quoteQueries.js';
import {
  type Allowed,
  filterOffer,
  findExceededLimit,
  findNamedSelection,
  listPresets,
  type QuoteSelection,
  resolveChoice,
  toQuoteQuery,
} from '../../../client/quote/selection.js';
import type { CryptoCurrency, FiatCurrency, Quote } from '../../../protocol/api/resources.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import type { ReactQuery } from './useBackendQuery.js';
import { useCurrencyList } from './useCurrencyList.js';
import { TYPING_PAUSE_MS, useEarlyQuote, useQuoteState } from './useQuoteState.js';

const noFiats: readonly FiatCurrency[] = [];
const noCryptos: readonly CryptoCurrency[] = [];

/** Implements `useQuotePreview`. */
export function useQuoteForm(reactQuery: ReactQuery, options: QuotePreviewOptions): QuoteForm {
  const { api, credentials, headers, fetch, value, onValueChange, omitPayment } = options;
  const settings = useRampSettings({ api, credentials, headers, fetch });
  const buyType = options.buyType === 'nft' ? 'nft' : undefined;
  const digits = buyType ? 18 : 2;
  const [ownSelection, setOwnSelection] = useState(options.defaultValue ?? {});
  const [isEdited, setEdited] = useState(false);
  const wanted = value ?? ownSelection;

  const fiats = useCurrencyList(
    reactQuery,
    fiatCurrenciesQueryOptions(settings),
    ({ currencies }) => currencies,
  );
  const cryptos = useCurrencyList(
    reactQuery,
    cryptoCurrenciesQueryOptions({ ...settings, buyType }),
    ({ cryptoCurrencies }) => cryptoCurrencies,
  );
  const allowed = useAllowed(options);
  const allFiats = fiats.data ?? noFiats;
  const allCryptos = cryptos.data ?? noCryptos;
  const offer = useMemo(
    () => filterOffer({ fiats: allFiats, cryptos: allCryptos }, allowed),
    [allFiats, allCryptos, allowed],
  );
  const choice = resolveChoice(offer, allowed, wanted, digits);

  const toQuery = (selection: QuoteSelection | undefined) =>
    selection &&
    toQuoteQuery(omitPayment ? { ...selection, payment: undefined } : selection, buyType);
  const query = toQuery(choice?.selection);
  const findLimit = (amount: string) =>
    buyType ? undefined : findExceededLimit(amount, choice?.method);
  const exceeded = query && findLimit(query.currencyAmount);
  const quoted = useQuoteState(
    reactQuery,
    exceeded ? undefined : query,
    settings,
    options.refreshSeconds,
    // The shopper has not typed the initial amount, so request it without a debounce.
    isEdited ? TYPING_PAUSE_MS : 0,
  );
  // This price is not shown, because the lists may still rule out the selection that the page names. Once they are
  // known, the hook above finds the response, or the request, in the cache. This hook must come after it, because the
  // effect of this hook ends the observation, and a request that nothing observes is aborted.
  const isListed = fiats.data !== undefined && cryptos.data !== undefined;
  const named = isListed
    ? undefined
    : toQuery(findNamedSelection(allowed, wanted, digits, omitPayment === true));
  useEarlyQuote(reactQuery, named, settings, options.refreshSeconds);
  useQuoteReport(quoted.isPrevious ? undefined : quoted.data, options.onQuote);
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production')
      import('../checkPreview.js').then(({ checkPreview }) =>
        checkPreview(options, wanted, offer, choice, allCryptos),
      );
  });

  const change = useStable((part: Partial<QuoteSelection>) => {
    if (part.amount !== undefined) setEdited(true);
    const next = { ...(choice?.selection ?? wanted), ...part };
    if (!value) setOwnSelection(next);
    const complete =
      resolveChoice(offer, allowed, next, digits)?.selection ?? (value && { ...value, ...part });
    if (complete) onValueChange?.(complete);
  });

  // The list that decides the status, until both lists have loaded.
  const pendingList = fiats.data ? cryptos : fiats;
  const quoteStatus: QuotePreviewStatus = exceeded?.status ?? quoted.status;
  const loadedStatus = choice ? quoteStatus : 'empty';
  return {
    status: isListed ? loadedStatus : pendingList.status,
    selection: choice?.selection,
    data: quoted.data,
    isPrevious: quoted.isPrevious,
    error: isListed ? quoted.error : pendingList.error,
    limit: exceeded?.limit,
    retry() {
      for (const request of [fiats, cryptos, quoted]) if (request.error) request.retry();
    },
    quotedAt: quoted.quotedAt,
    nextQuoteAt: quoted.nextQuoteAt,
    refreshSeconds: quoted.refreshSeconds,
    amount: choice?.selection.amount ?? wanted.amount ?? '',
    fiatCurrencies: offer.fiats,
    cryptoCurrencies: offer.cryptos,
    fiat: choice?.fiat,
    crypto: choice?.crypto,
    method: choice?.method,
    presets:
      choice && !buyType
        ? listPresets(options.presetAmounts, choice.fiat.fiatCurrency, choice.method)
        : [],
    findLimit,
    change,
  };
}

/** Returns the options' restrictions, as the same object until one of them changes. */
function useAllowed(options: QuotePreviewOptions): Allowed {
  const { fiatCurrency, cryptoCurrency, cryptoNetwork, walletChains } = options;
  // Pages write these lists inline, so they are new on each render.
  const text = JSON.stringify({ fiatCurrency, cryptoCurrency, cryptoNetwork, walletChains });
  return useMemo(() => JSON.parse(text), [text]);
}

/** Returns a function that stays the same across renders and calls the latest render's `call`. */
function useStable<Value>(call: (value: Value) => void): (value: Value) => void {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });
  return useCallback((value) => latest.current(value), []);
}

/** Reports each new quote of the selection to the page, and `undefined` when there is none. */
function useQuoteReport(quote: Quote | undefined, onQuote: QuotePreviewOptions['onQuote']): void {
  const lastReported = useRef<Quote>(undefined);
  useEffect(() => {
    if (lastReported.current === quote) return;
    lastReported.current = quote;
    callIsolated(() => onQuote?.(quote));
  }, [onQuote, quote]);
}
