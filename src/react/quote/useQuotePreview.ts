import { useEffect, useRef, useState } from 'react';
import type { Quote, QuoteQuery } from '../../protocol/api/resources.js';
import { compareDecimals } from '../../protocol/decimal/compareDecimals.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { QuotePreviewView } from './card/QuoteCardView.js';
import { useCryptoCurrencies } from './hooks/useCryptoCurrencies.js';
import { useDebouncedQuote } from './hooks/useDebouncedQuote.js';
import { useFiatCurrencies } from './hooks/useFiatCurrencies.js';
import { DEBOUNCE_MS } from './hooks/useQuote.js';
import type { QuotePreviewProps } from './QuotePreviewProps.js';
import { findExceededLimit } from './selection/findExceededLimit.js';
import type { QuotePreviewStatus } from './selection/QuotePreviewState.js';
import { type Choice, filterOffer, resolveChoice } from './selection/resolveChoice.js';

/** Returns the state of a {@link QuotePreview}, without texts and markup. */
export function useQuotePreview(
  props: QuotePreviewProps,
  settings: BackendSettings,
): QuotePreviewView {
  const { buyType, omitPayment, value, onValueChange, onQuote, refreshSeconds } = props;
  const nft = buyType === 'nft';
  const digits = nft ? 18 : 2;
  const [own, setOwn] = useState(props.defaultValue ?? {});
  const [edited, setEdited] = useState(false);
  const wanted = value ?? own;
  const fiats = useFiatCurrencies(settings);
  const cryptos = useCryptoCurrencies({ ...settings, buyType });
  const all = { fiats: fiats.currencies ?? [], cryptos: cryptos.currencies ?? [] };
  const offer = filterOffer(all, props);
  const choice = resolveChoice(offer, props, wanted, digits);
  const asked = choice && toQuoteQuery(choice, nft, omitPayment);
  const exceeded =
    asked && !nft ? findExceededLimit(asked.currencyAmount, choice.method) : undefined;
  const quoted = useDebouncedQuote(
    exceeded ? undefined : asked,
    { ...settings, refreshSeconds },
    // The initial amount is not typed, so it is requested immediately.
    edited ? DEBOUNCE_MS : 0,
  );
  const { quote, isPrevious } = quoted;

  // The list that the card waits for.
  const pendingList = fiats.currencies ? cryptos : fiats;
  const present = isPrevious ? undefined : quote;
  const lastReported = useRef<Quote>(undefined);
  useEffect(() => {
    if (lastReported.current === present) return;
    lastReported.current = present;
    onQuote?.(present);
  }, [onQuote, present]);
  const { error } = pendingList.status === 'ready' ? quoted : pendingList;
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production')
      import('./checkPreview.js').then(({ checkPreview }) =>
        checkPreview(props, wanted, offer, choice),
      );
  });

  const status: QuotePreviewStatus =
    pendingList.status !== 'ready'
      ? pendingList.status
      : choice
        ? (exceeded?.status ?? quoted.status)
        : 'empty';
  return {
    status,
    selection: choice?.selection,
    quote,
    isPrevious,
    error,
    limit: exceeded?.limit,
    retry() {
      for (const asking of [fiats, cryptos, quoted]) if (asking.error) asking.refetch();
    },
    nft,
    offer,
    choice,
    amount: choice?.selection.amount ?? wanted.amount ?? '',
    timing: quoted,
    change(part) {
      if (part.amount !== undefined) setEdited(true);
      const next = { ...(choice?.selection ?? wanted), ...part };
      if (!value) setOwn(next);
      const complete =
        resolveChoice(offer, props, next, digits)?.selection ?? (value && { ...value, ...part });
      if (complete) onValueChange?.(complete);
    },
  };
}

/** Returns the query of a selection; `undefined` without an amount. */
function toQuoteQuery(
  { selection }: Choice,
  nft: boolean,
  omitPayment: boolean | undefined,
): QuoteQuery | undefined {
  const { amount, fiatCurrency, cryptoCurrencyCode, payment } = selection;
  if (!amount || compareDecimals(amount, '0') <= 0) return undefined;
  return {
    fiatCurrency,
    currencyAmount: amount,
    cryptoCurrencyCode,
    // A name with & or = cannot be signed, so its price is requested without it.
    payment: omitPayment || /[&=]/.test(payment ?? '') ? undefined : payment,
    buyType: nft ? 'nft' : undefined,
  };
}
