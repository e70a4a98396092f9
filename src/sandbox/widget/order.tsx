import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OrderProgress } from '../orders.js';
import { type CheckoutClient, type Problem, toProblem } from './checkoutClient.js';
import { useLocale } from './locale.js';
import type { WidgetMessages } from './messages/en.js';
import { SumRow } from './price.js';
import { ShortText } from './ShortText.js';
import { Title } from './WidgetPage.js';

/**
 * Returns `pay`, which places the order, and the state of the payment. Calls while the order is being placed do
 * nothing, so a double click pays only once.
 */
export function usePay(
  order: () => Promise<OrderProgress> | undefined,
  onPlaced: (order: OrderProgress) => void,
) {
  const busy = useRef(false);
  const [paying, setPaying] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  const pay = async () => {
    const placed = busy.current ? undefined : order();
    if (!placed) return;
    busy.current = true;
    setPaying(true);
    setProblem(undefined);
    try {
      onPlaced(await placed);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      busy.current = false;
      setPaying(false);
    }
  };
  return { pay, paying, problem };
}

const POLL_MS = 250;

/** Polls an order until it is finished. A failed request is ignored, because the next one may succeed. */
export function useOrderProgress(
  client: CheckoutClient,
  placed: OrderProgress | undefined,
): OrderProgress | undefined {
  const [seen, setSeen] = useState<OrderProgress>();
  const order = seen && seen.orderId === placed?.orderId ? seen : placed;
  const orderId = order?.orderId;
  const finished = order?.step === 'finished';

  useEffect(() => {
    if (!orderId || finished) return;
    let timer: ReturnType<typeof setTimeout>;
    let live = true;
    const poll = async () => {
      const next = await client.progress(orderId).catch(() => undefined);
      if (!live) return;
      if (next) setSeen(next);
      timer = setTimeout(poll, POLL_MS);
    };
    timer = setTimeout(poll, POLL_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [client, orderId, finished]);

  return order;
}

interface SummaryProps {
  readonly paid: string;
  /** `undefined` while the price is loading. */
  readonly got: ReactNode;
  readonly network: string | undefined;
}

/**
 * Shows the choices that the shopper made on the first screen. The later screens show this summary until the order is
 * finished.
 */
export function Summary({ paid, got, network }: SummaryProps) {
  const { t } = useLocale();
  return (
    <dl className="summary">
      <div>
        <dt>{t('youPay')}</dt>
        <dd>
          <bdi>{paid}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('youGet')}</dt>
        <dd>
          <bdi>{got ?? '–'}</bdi>
          <span className="caption">{network}</span>
        </dd>
      </div>
    </dl>
  );
}

interface OrderStepsProps {
  readonly order: OrderProgress;
  /** The texts of the delivery step: while it is in progress, and when it is done. */
  readonly delivery: readonly [going: keyof WidgetMessages, done: keyof WidgetMessages];
  readonly takesFocus?: boolean | undefined;
  /** The summary of the purchase. */
  readonly children: ReactNode;
}

/** Shows the steps of an order. Screen readers announce each step when it begins. */
export function OrderSteps({
  order,
  delivery: [going, done],
  takesFocus,
  children,
}: OrderStepsProps) {
  const { t, formats } = useLocale();
  const steps = [
    { text: t('paid'), at: order.payTime },
    { text: t(order.deliverTime === undefined ? going : done), at: order.deliverTime },
    { text: t('confirming'), at: order.finishTime },
  ];
  const present = steps.findIndex(({ at }) => at === undefined);
  return (
    <section>
      <Title takesFocus={takesFocus}>{t('paymentInProgress')}</Title>
      {children}
      <ol className="steps">
        {steps.map(({ text, at }, index) => (
          <li
            key={text}
            data-done={at !== undefined || undefined}
            aria-current={index === present ? 'step' : undefined}
          >
            <span>{text}</span>
            {at !== undefined && <time>{formats.time(at)}</time>}
          </li>
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {steps[present]?.text}
      </p>
    </section>
  );
}

interface ReceiptProps {
  readonly order: OrderProgress;
  readonly paid: string;
  /** The sentence that names the delivered item and its wallet. */
  readonly arrived: ReactNode;
  readonly takesFocus?: boolean | undefined;
  /** The rows between the payment and the transaction. */
  readonly children: ReactNode;
}

/** Renders the last screen: what was paid and delivered, the wallet, and the transaction. */
export function Receipt({ order, paid, arrived, takesFocus, children }: ReceiptProps) {
  const { t } = useLocale();
  const [done, setDone] = useState(false);
  const finish = () => {
    // This closes a window that a page opened. In a frame or an ordinary tab it does nothing.
    window.close();
    setDone(true);
  };
  // In a frame, do not say "this page": shoppers who do not notice the frame would think of the shop's page.
  const howToLeave = window.self === window.top ? 'canClose' : 'closeCheckout';
  return (
    <section className="receipt">
      <svg className="check-mark" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m15.5 24.5 6 6 11.5-12.5" />
      </svg>
      <Title takesFocus={takesFocus}>{t('paymentComplete')}</Title>
      <p className="lead">{arrived}</p>
      <dl className="breakdown">
        <SumRow label={t('youPaid')}>
          <bdi>{paid}</bdi>
        </SumRow>
        {children}
        <SumRow label={t('transaction')}>
          <CopyText text={order.txHash ?? ''} label={t('copyTransaction')} />
        </SumRow>
      </dl>
      <button type="button" className="primary" onClick={finish}>
        {t('done')}
      </button>
      <p role="status" className="lead">
        {done && t(howToLeave)}
      </p>
    </section>
  );
}

export function WalletRow({ address }: { address: string }) {
  const { t } = useLocale();
  return (
    <SumRow label={t('wallet')}>
      <span className="code">
        <ShortText text={address} />
      </span>
    </SumRow>
  );
}

interface CopyTextProps {
  readonly text: string;
  /** The accessible name of the button. It says what the button copies. */
  readonly label: string;
}

/** Shows a shortened text with a button that copies it in full. If copying is not allowed, it shows the full text. */
export function CopyText({ text, label }: CopyTextProps) {
  const { t } = useLocale();
  const [state, setState] = useState<'short' | 'copied' | 'expanded'>('short');
  const shown = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The focused button has been removed, so move the focus to the text.
    if (state === 'expanded') shown.current?.focus();
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('expanded'),
    );
  return (
    <>
      <span
        ref={shown}
        className="code"
        data-expanded={state === 'expanded' || undefined}
        tabIndex={state === 'expanded' ? -1 : undefined}
      >
        {state === 'expanded' ? <bdi>{text}</bdi> : <ShortText text={text} />}
      </span>
      {state !== 'expanded' && (
        <button
          type="button"
          className="text-button"
          aria-label={state === 'short' ? label : undefined}
          onClick={copy}
        >
          {state === 'copied' ? t('copied') : t('copy')}
        </button>
      )}
      <span role="status" className="visually-hidden">
        {state === 'copied' && t('copied')}
      </span>
    </>
  );
}
