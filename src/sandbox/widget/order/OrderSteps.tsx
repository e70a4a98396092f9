import type { ReactNode } from 'react';
import type { OrderProgress } from '../../orders.js';
import { useLocale } from '../locale/Locale.js';
import type { WidgetMessages } from '../messages/WidgetMessages.js';
import { Title } from '../page/Title.js';

interface OrderStepsProps {
  readonly order: OrderProgress;
  /** The texts of the delivery while it is in progress and when it is done. */
  readonly delivery: readonly [going: keyof WidgetMessages, done: keyof WidgetMessages];
  readonly takesFocus?: boolean | undefined;
  /** The summary of the purchase. */
  readonly children: ReactNode;
}

/** Shows the progress of an order. Screen readers announce each step when it begins. */
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
