import { useEffect, useRef, useState } from 'react';
import type { CheckoutAnswer } from '../../protocol/handler-answers.js';
import { askBackend, backendUrl } from '../askBackend.js';
import { removeOpenedCheckout } from '../openedCheckouts.js';
import type { CheckoutStatusOptions } from './useCheckoutStatus.js';

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
  { api, credentials, headers }: CheckoutStatusOptions,
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
      let status = 0;
      const request: typeof fetch = async (...given) => {
        const response = await fetch(...given);
        status = response.status;
        return response;
      };
      const url = backendUrl(api as string, `/checkouts/${encodeURIComponent(reference)}`);
      const init = { credentials, headers: latest.current, signal };
      try {
        const answer = (await askBackend(
          url,
          init,
          'ERR_RESPONSE_INVALID',
          request,
        )) as CheckoutAnswer;
        if (signal.aborted || !Array.isArray(answer.orders)) return;
        if (isAtEnd(answer)) left = left.filter((one) => one !== reference);
        setAnswers((known) => {
          const wasAtEnd = known[reference]?.wasAtEnd ?? isAtEnd(answer);
          return { ...known, [reference]: { answer, wasAtEnd } };
        });
      } catch {
        // Anything else may pass.
        if (status === 404 && !signal.aborted) removeOpenedCheckout(api as string, reference);
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
