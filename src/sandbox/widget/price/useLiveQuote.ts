import { useCallback, useEffect, useRef, useState } from 'react';
import type { SandboxQuote } from '../../catalog/pricing.js';
import { type Problem, toProblem } from '../client/toProblem.js';

const DEBOUNCE_MS = 120;
/** Prices change, so a displayed price is refreshed at this interval. */
const REFRESH_MS = 10_000;

/** The quote of the current selection. */
export interface LiveQuote {
  /** The last quote for these currencies. It is kept while the next one is loading. */
  readonly quote: SandboxQuote | undefined;
  /** Whether `quote` is the price of the current selection. */
  readonly current: boolean;
  /** Why the quote is missing. */
  readonly problem: Problem | undefined;
  readonly retry: () => void;
}

/**
 * Requests a quote when the selection changes, debounced while the amount is typed, and refreshes it
 * afterwards. The last quote is kept meanwhile. While the input is incomplete, `ask` is `undefined`.
 *

 * @param currencies - The key of the currencies. A quote for other currencies is discarded.
 * @param amount - The amount, possibly still being typed.
 */
export function useLiveQuote(
  ask: ((signal: AbortSignal) => Promise<SandboxQuote>) | undefined,
  currencies: string,
  amount: string | undefined,
): LiveQuote {
  const [answer, setAnswer] = useState<{ key: string; quote?: SandboxQuote; problem?: Problem }>();
  const [attempt, setAttempt] = useState(0);
  const asked = useRef('');
  const key = [currencies, amount, attempt].join(' ');

  useEffect(() => {
    if (!ask) return;
    const abort = new AbortController();
    const poll = () =>
      ask(abort.signal).then(
        (quote) => {
          if (abort.signal.aborted) return;
          setAnswer({ key, quote });
          timer = setTimeout(poll, REFRESH_MS);
        },
        (error) => !abort.signal.aborted && setAnswer({ key, problem: toProblem(error) }),
      );
    // Only typing is debounced, not the selection of a currency.
    let timer = setTimeout(poll, asked.current === currencies ? DEBOUNCE_MS : 0);
    asked.current = currencies;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [ask, currencies, key]);

  const current = ask !== undefined && answer?.key === key;
  return {
    quote: ask && answer?.key.startsWith(`${currencies} `) ? answer.quote : undefined,
    current: current && answer?.quote !== undefined,
    problem: current ? answer?.problem : undefined,
    retry: useCallback(() => setAttempt((n) => n + 1), []),
  };
}
