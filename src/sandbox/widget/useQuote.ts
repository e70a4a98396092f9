import { useCallback, useEffect, useRef, useState } from 'react';
import type { Quote } from '../quote.js';
import type { CheckoutService } from './CheckoutService.js';
import { type Problem, problemOf } from './problem.js';
import type { Purchase } from './usePurchase.js';

const SETTLE_MS = 120;
/** Prices move: one that is looked at is asked for again. */
const REFRESH_MS = 10_000;

/** The price of what the shopper has chosen. */
export interface LiveQuote {
  /** The last one for these currencies; it stays while the next is on its way. */
  readonly quote: Quote | undefined;
  /** It is the price of what is chosen now. */
  readonly current: boolean;
  /** Why there is none. */
  readonly problem: Problem | undefined;
  readonly retry: () => void;
}

/**
 * Asks for a quote whenever the purchase changes, once typing has settled, and again while it stays.
 * The last price stands meanwhile.
 */
export function useQuote(
  service: CheckoutService,
  { fiatCurrency, currencyAmount, cryptoCurrencyCode }: Purchase['request'],
): LiveQuote {
  const [answer, setAnswer] = useState<{ key: string; quote?: Quote; problem?: Problem }>();
  const [attempt, setAttempt] = useState(0);
  const asked = useRef('');
  const complete = Boolean(fiatCurrency && currencyAmount && cryptoCurrencyCode);
  const pair = `${fiatCurrency} ${cryptoCurrencyCode}`;
  const key = [pair, currencyAmount, attempt].join(' ');

  useEffect(() => {
    if (!fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return;
    const abort = new AbortController();
    const purchase = { fiatCurrency, currencyAmount, cryptoCurrencyCode };
    const ask = () =>
      service.quote(purchase, abort.signal).then(
        (quote) => {
          if (abort.signal.aborted) return;
          setAnswer({ key, quote });
          timer = setTimeout(ask, REFRESH_MS);
        },
        (error) => !abort.signal.aborted && setAnswer({ key, problem: problemOf(error) }),
      );
    // Typing is waited for, a choice is not.
    let timer = setTimeout(ask, asked.current === pair ? SETTLE_MS : 0);
    asked.current = pair;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [service, fiatCurrency, currencyAmount, cryptoCurrencyCode, pair, key]);

  const current = complete && answer?.key === key;
  return {
    quote: complete && answer?.key.startsWith(`${pair} `) ? answer.quote : undefined,
    current: current && answer?.quote !== undefined,
    problem: current ? answer?.problem : undefined,
    retry: useCallback(() => setAttempt((n) => n + 1), []),
  };
}
