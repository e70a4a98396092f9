import { useEffect, useRef, useState } from 'react';
import type { CheckoutAnswer } from '../../protocol/handler-answers.js';
import type { CheckoutNotice } from '../checkout-types.js';
import { removeOpenedCheckout } from '../openedCheckouts.js';

interface KnownAnswer {
  readonly answer: CheckoutAnswer;
  /** It was at its end when this page first read it. */
  readonly wasAtEnd: boolean;
}

export type KnownAnswers = Readonly<Record<string, KnownAnswer>>;

/**
 * Reads the state of several checkouts, and again from time to time until they are at their end. A checkout that
 * the backend does not show to this user is forgotten.
 */
export function useAnswers(
  references: readonly string[],
  { url, api, credentials, headers }: Omit<CheckoutNotice, 'reason'>,
  pollMs: number,
  isAtEnd: (answer: CheckoutAnswer) => boolean,
): KnownAnswers {
  const [answers, setAnswers] = useState<KnownAnswers>({});
  const about = JSON.stringify([references, api, credentials, headers]);
  const latest = useRef(headers);
  useEffect(() => {
    latest.current = headers;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` has them all
  useEffect(() => {
    if (api == null) return;
    const controller = new AbortController();
    const { signal } = controller;
    let left = references;
    async function read(reference: string): Promise<void> {
      try {
        const given = latest.current;
        const init = {
          credentials,
          headers: typeof given === 'function' ? await given() : given,
          signal,
        } as RequestInit;
        const response = await fetch(`${url}/${encodeURIComponent(reference)}`, init);
        if (signal.aborted) return;
        if (response.status === 404) removeOpenedCheckout(api as string, reference);
        const answer = (await response.json()) as CheckoutAnswer;
        if (!response.ok || signal.aborted || !Array.isArray(answer.orders)) return;
        if (isAtEnd(answer)) left = left.filter((one) => one !== reference);
        setAnswers((known) => {
          const wasAtEnd = known[reference]?.wasAtEnd ?? isAtEnd(answer);
          return { ...known, [reference]: { answer, wasAtEnd } };
        });
      } catch {
        // It is read again later.
      }
    }
    const readAll = () => {
      if (!document.hidden) for (const reference of left) read(reference);
    };
    readAll();
    const timer = setInterval(readAll, pollMs);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [about]);
  return answers;
}
