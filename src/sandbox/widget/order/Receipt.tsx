import { type ReactNode, useState } from 'react';
import type { OrderProgress } from '../../orders.js';
import { useLocale } from '../locale/Locale.js';
import { Title } from '../page/Title.js';
import { SumRow } from '../price/SumRow.js';
import { CopyText } from './CopyText.js';

interface ReceiptProps {
  readonly order: OrderProgress;
  readonly paid: string;
  /** The sentence that names the delivered item and its wallet. */
  readonly arrived: string;
  readonly takesFocus?: boolean | undefined;
  /** The rows between the payment and the transaction. */
  readonly children: ReactNode;
}

/** Renders the last screen: the delivered item, its wallet and its transaction. */
export function Receipt({ order, paid, arrived, takesFocus, children }: ReceiptProps) {
  const { t } = useLocale();
  const [done, setDone] = useState(false);
  const finish = () => {
    // Closes a window that a page opened. In a frame or an ordinary tab it has no effect.
    window.close();
    setDone(true);
  };
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
          <CopyText text={order.txHash ?? ''} />
        </SumRow>
      </dl>
      <button type="button" className="primary" onClick={finish}>
        {t('done')}
      </button>
      <p role="status" className="lead">
        {done && t('canClose')}
      </p>
    </section>
  );
}
