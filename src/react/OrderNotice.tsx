import { useEffect, useRef, useState } from 'react';
import { checkoutEnglish } from '../messages/CheckoutMessages.js';
import type { CheckoutAnswer } from '../protocol/handler-answers.js';
import { RampError } from '../protocol/ramp-error.js';
import { askBackend, backendUrl } from './askBackend.js';
import type { CheckoutNoteProps, CheckoutNotice } from './checkout-types.js';

type Messages = CheckoutNoteProps['messages'];

/**
 * Shows beside the button what became of a checkout that was closed and may have been paid, and scrolls
 * into view. It is rendered empty before that, or a screen reader would not announce its text.
 */
export function OrderNotice({ state, messages }: Omit<CheckoutNoteProps, 'onRetry'>) {
  const { notice, reference } = state;
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!notice) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = isStill ? 'instant' : 'smooth';
    line.current?.scrollIntoView({ block: 'nearest', behavior });
  }, [notice]);
  return (
    <span ref={line} className="ramp-notice" role="status">
      {notice && reference && (
        <OrderWords notice={notice} reference={reference} messages={messages} />
      )}
    </span>
  );
}

interface OrderWordsProps {
  readonly notice: CheckoutNotice;
  readonly reference: string;
  readonly messages: Messages;
}

function OrderWords({ notice, reference, messages }: OrderWordsProps) {
  const [answer, setAnswer] = useState<CheckoutAnswer>();
  const [card, setCard] = useState<typeof import('./status/status-content.js')>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // Not the hook, whose code would then be in the first part of every page with a button.
    const parts = [
      import('./status/watchCheckout.js'),
      import('./status/status-content.js'),
    ] as const;
    Promise.all(parts).then(
      ([{ watchCheckout }, content]) => {
        if (signal.aborted) return;
        setCard(content);
        const backend = { askBackend, backendUrl, RampError };
        watchCheckout({ ...notice, reference, backend, signal, onAnswer: setAnswer, onError() {} });
      },
      // It could not be loaded: the text stays as it is.
      () => {},
    );
    return () => controller.abort();
  }, [notice, reference]);
  if (card && answer && answer.progress !== 'waiting') {
    const found = { answer, status: 'known', error: undefined, retry() {} } as const;
    const [title, hint] = card.statusWords(card.statusView(found, messages, undefined));
    return (
      <>
        <strong>{title}</strong> {hint}
      </>
    );
  }
  const texts = { ...checkoutEnglish, ...messages };
  return notice.reason === 'paid' ? texts.paymentSeen : texts.doNotPayAgain;
}
