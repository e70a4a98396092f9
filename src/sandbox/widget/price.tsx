import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { SandboxQuote } from '../catalog/pricing.js';
import { type Problem, toProblem } from './checkoutClient.js';
import { useLocale } from './locale.js';

const DEBOUNCE_MS = 120;
const REFRESH_MS = 10_000;

/** The quote of the current selection, which is refreshed regularly. */
export interface LiveQuote {
  /** The last quote for the selected currencies. It is kept while the next quote is loading. */
  readonly quote: SandboxQuote | undefined;
  /** Whether `quote` is for the current selection. `false` while the quote for a new amount is loading. */
  readonly current: boolean;
  /** Why the last request for a quote failed. */
  readonly problem: Problem | undefined;
  /**
   * The `aria-live` of the element that shows the price. Screen readers announce a price that follows a change by the
   * shopper, but not the regular refreshes.
   */
  readonly live: 'polite' | 'off';
  readonly retry: () => void;
}

/**
 * Requests a quote when the selection changes, and then refreshes it every {@link REFRESH_MS}. Requests are debounced
 * while the shopper types the amount. The last quote is kept until the next request ends. After a failed request,
 * nothing is requested until `retry` is called or the selection changes.
 *
 * @param requestQuote - Requests a quote for the current selection. `undefined` while the input is incomplete.
 * @param currencies - A text that identifies the selected currencies. When it changes, the last quote is discarded.
 * @param amount - The amount, possibly still being typed.
 */
export function useLiveQuote(
  requestQuote: ((signal: AbortSignal) => Promise<SandboxQuote>) | undefined,
  currencies: string,
  amount: string | undefined,
): LiveQuote {
  const [result, setResult] = useState<{ key: string; quote?: SandboxQuote; problem?: Problem }>();
  const [attempt, setAttempt] = useState(0);
  const [live, setLive] = useState<LiveQuote['live']>('off');
  const lastCurrencies = useRef('');
  const key = [currencies, amount, attempt].join(' ');
  const lastKey = useRef(key);

  useEffect(() => {
    if (lastKey.current !== key) setLive('polite');
    lastKey.current = key;
    if (!requestQuote) return;
    const abort = new AbortController();
    const poll = () =>
      requestQuote(abort.signal).then(
        (quote) => {
          if (abort.signal.aborted) return;
          setResult({ key, quote });
          timer = setTimeout(refresh, REFRESH_MS);
        },
        (error) => !abort.signal.aborted && setResult({ key, problem: toProblem(error) }),
      );
    const refresh = () => {
      // Turn `aria-live` off before the price changes, so that screen readers do not announce the refresh.
      setLive('off');
      return poll();
    };
    // Changes to the amount are debounced, because shoppers type it. Changes to the currency are not.
    let timer = setTimeout(poll, lastCurrencies.current === currencies ? DEBOUNCE_MS : 0);
    lastCurrencies.current = currencies;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [requestQuote, currencies, key]);

  const current = requestQuote !== undefined && result?.key === key;
  return {
    quote: requestQuote && result?.key.startsWith(`${currencies} `) ? result.quote : undefined,
    current: current && result?.quote !== undefined,
    problem: current ? result?.problem : undefined,
    live,
    retry: useCallback(() => setAttempt((n) => n + 1), []),
  };
}

/** Shows why the price is missing, with a button that retries. */
export function PriceProblem({ price }: { price: LiveQuote }) {
  const { t } = useLocale();
  return (
    price.problem && (
      <p className="error" role="alert">
        {t(price.problem)}{' '}
        <button type="button" className="text-button" onClick={price.retry}>
          {t('retry')}
        </button>
      </p>
    )
  );
}

/** Shows the price of one unit of the cryptocurrency, between the two amounts. */
export function Rate({ quote }: { quote: SandboxQuote | undefined }) {
  const { formats } = useLocale();
  return (
    <p className="exchange-rate">
      {quote && (
        <bdi>
          {`1 ${quote.cryptoCurrency} = ${formats.price(quote.cryptoCurrencyUnitPrice, quote.fiatCurrency)}`}
        </bdi>
      )}
    </p>
  );
}

interface FeesProps {
  readonly quote: SandboxQuote | undefined;
  readonly digits: number;
}

/** Shows the fees of the purchase in the payment currency. */
export function Fees({ quote, digits }: FeesProps) {
  const { t, formats } = useLocale();
  const renderRow = (label: string, amount: string | undefined, className?: string) => (
    <SumRow label={label} className={className}>
      {quote && amount ? <bdi>{formats.money(amount, quote.fiatCurrency, digits)}</bdi> : '–'}
    </SumRow>
  );
  return (
    <dl className="breakdown">
      {renderRow(t('gasFee'), quote?.gasFee)}
      {renderRow(t('platformFee'), quote?.platformFee)}
      {renderRow(t('totalFee'), quote?.totalFee, 'total')}
    </dl>
  );
}

interface SumRowProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function SumRow({ label, className, children }: SumRowProps) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
