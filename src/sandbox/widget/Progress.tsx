import type { OrderProgress } from '../order-progress.js';
import { useLocale } from './locale.js';
import { orderAmounts } from './order-amounts.js';
import { Summary } from './Summary.js';
import { Title } from './Title.js';
import type { Purchase } from './usePurchase.js';

interface ProgressProps {
  readonly order: OrderProgress;
  readonly purchase: Purchase;
}

/** The order on its way. Each step is said once it has come. */
export function Progress({ order, purchase }: ProgressProps) {
  const { t, formats } = useLocale();
  const steps = [
    { text: t('paid'), at: order.payTime },
    { text: t(order.deliverTime === undefined ? 'sending' : 'delivered'), at: order.deliverTime },
    { text: t('confirming'), at: order.finishTime },
  ];
  const present = steps.findIndex(({ at }) => at === undefined);
  return (
    <section>
      <Title>{t('inProgress')}</Title>
      <Summary {...orderAmounts(formats, purchase, order)} />
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
      <p role="status" className="unseen">
        {steps[present]?.text}
      </p>
    </section>
  );
}
