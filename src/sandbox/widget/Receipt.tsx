import { useState } from 'react';
import type { OrderProgress } from '../order-progress.js';
import { CopyText } from './CopyText.js';
import { useLocale } from './locale.js';
import { orderAmounts } from './order-amounts.js';
import { shortened } from './shortened.js';
import { Title } from './Title.js';
import type { Purchase } from './usePurchase.js';

interface ReceiptProps {
  readonly order: OrderProgress;
  readonly purchase: Purchase;
}

/** The last screen: what arrived, where, and by which transaction. */
export function Receipt({ order, purchase }: ReceiptProps) {
  const { t, formats } = useLocale();
  const [done, setDone] = useState(false);
  const { paid, got = '', network } = orderAmounts(formats, purchase, order);
  const finish = () => {
    // Closes a window that a page has opened; in a frame or a tab of one's own it does nothing.
    window.close();
    setDone(true);
  };
  return (
    <section className="receipt">
      <svg className="tick" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m15.5 24.5 6 6 11.5-12.5" />
      </svg>
      <Title>{t('complete')}</Title>
      <p className="lead">{t('sent', { amount: got })}</p>
      <dl className="sums">
        <div>
          <dt>{t('youPaid')}</dt>
          <dd>
            <bdi>{paid}</bdi>
          </dd>
        </div>
        {order.walletAddress && (
          <div>
            <dt>{t('wallet')}</dt>
            <dd>
              <bdi className="code" title={order.walletAddress}>
                {shortened(order.walletAddress)}
              </bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('network')}</dt>
          <dd>{network}</dd>
        </div>
        <div>
          <dt>{t('transaction')}</dt>
          <dd>
            <CopyText text={order.txHash ?? ''} />
          </dd>
        </div>
      </dl>
      <button type="button" className="primary" onClick={finish}>
        {t('done')}
      </button>
      <p role="status" className="lead">
        {done && t('closeNow')}
      </p>
    </section>
  );
}
