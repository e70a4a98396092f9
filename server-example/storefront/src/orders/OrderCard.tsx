import { CheckoutStatus } from '@partner-ramp/react';
import { useId } from 'react';
import { DateTime } from '../shop/DateTime.js';
import { PrintArt } from '../shop/PrintArt.js';
import type { ShopperOrder } from './useOrders.js';

/** Shows one checkout and its status. */
export function OrderCard({ order }: { order: ShopperOrder }) {
  const { reference, openedAt, print, isSoldBefore } = order;
  const id = useId();
  const title = print?.title ?? 'Top-up of your wallet';
  return (
    <article className="order" aria-labelledby={id}>
      <div className="order-head">
        <div className="order-picture">
          {print ? <PrintArt number={print.number} title={title} /> : <TopUpIcon />}
        </div>
        <div>
          <h2 id={id}>{title}</h2>
          <p className="order-facts">
            {print && (
              <>
                No. {print.number}
                {print.quantity > 1 && ` · ${print.quantity} prints`} ·{' '}
              </>
            )}
            <DateTime at={openedAt} />
          </p>
          <p className="order-reference">
            Reference <code>{reference}</code>
          </p>
        </div>
      </div>
      {isSoldBefore ? (
        <p className="order-late">
          <strong>Another shopper paid for this print before you.</strong> Your payment has arrived,
          and the shop is refunding it. You don’t need to do anything.
        </p>
      ) : (
        <CheckoutStatus className="order-status" reference={reference} aria-labelledby={id} />
      )}
    </article>
  );
}

function TopUpIcon() {
  return (
    <svg className="top-up-icon" viewBox="0 0 48 60" aria-hidden="true">
      <path d="M24 16v24M14 31l10 10 10-10" />
      <path d="M12 48h24" />
    </svg>
  );
}
