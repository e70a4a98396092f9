import { useCallback, useEffect, useRef, useState } from 'react';
import type { SandboxQuote } from '../../catalog/pricing/createOnRampQuote.js';
import { type Problem, toProblem } from '../client/toProblem.js';

const DEBOUNCE_MS = 120;
/** Prices move: one that is looked at is asked for again. */
const REFRESH_MS = 10_000;

/** The price of what the shopper has chosen. */
export interface LiveQuote {
  /** The last one for these currencies; it stays while the next is on its way. */
  readonly quote: SandboxQuote | undefined;
  /** It is the price of what is chosen now. */
  readonly current: boolean;
  /** Why there is none. */
  readonly problem: Problem | undefined;
  readonly retry: () => void;
}

/**
 * Asks for a quote whenever `ask` is another, once typing has settled, and again while it stays. The
 * last price stands meanwhile.
 *
 * @param ask - Nothing while there is nothing to ask for.
 * @param currencies - A price for others of them says nothing about these.
 * @param amount - What may be on its way to another amount, being typed.
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
    // Typing is waited for, a choice is not.
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
