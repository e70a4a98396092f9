import { useRef } from 'react';
import { DateTime } from '../shop/DateTime.js';
import type { OperatorOverview } from './useOperator.js';

interface CaseListProps {
  readonly overview: OperatorOverview;
  readonly onClose: (orderId: string) => unknown;
}

/** Lists the paid orders that need the operator's attention. */
export function CaseList({ overview: { cases, moreCases }, onClose }: CaseListProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="operator-section" aria-labelledby="cases">
      <h2 id="cases" ref={heading} tabIndex={-1}>
        Needs attention
        {cases.length > 0 && <span className="count">{cases.length + moreCases}</span>}
      </h2>
      {cases.length === 0 ? (
        <p className="empty">Nothing needs attention. Every paid order matches its checkout.</p>
      ) : (
        <p className="operator-note">
          These orders are paid, but the shop has not delivered anything. Resolve each one at the
          service, usually with a refund, then mark it as handled.
        </p>
      )}
      <ul className="cases" aria-label="Cases">
        {cases.map(({ orderId, reference, reason, field, openedAt, order }) => (
          <li key={orderId} className="case">
            <div>
              <p className="case-reason">
                <strong>{formatReason(reason)}</strong>
                {field && (
                  <>
                    {' '}
                    Field: <code>{field}</code>.
                  </>
                )}
              </p>
              <p className="case-facts">
                {order && `${order.title ?? 'Top-up'}, ${order.paid} · `}
                <DateTime at={openedAt} />
              </p>
              <p className="case-facts">
                Order <code>{orderId}</code>, reference <code>{reference}</code>
              </p>
            </div>
            <button
              type="button"
              className="quiet-button"
              aria-label={`Mark order ${orderId} as handled`}
              onClick={() => {
                // Move the focus, because the button is removed together with its case.
                heading.current?.focus();
                onClose(orderId);
              }}
            >
              Mark as handled
            </button>
          </li>
        ))}
      </ul>
      {moreCases > 0 && (
        <p className="operator-note">And {moreCases} more, once these are handled.</p>
      )}
    </section>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  widget: 'The order is of a different kind than the checkout.',
  wallet: 'The crypto was sent to a different wallet than the checkout’s.',
  amount: 'The amount differs from the checkout’s.',
  currency: 'The currency differs from the checkout’s.',
  nft: 'The print differs from the checkout’s.',
  'second-order': 'This checkout was already paid.',
  'sold-before': 'Another shopper paid for this print first.',
  'paid-again':
    'This checkout has an earlier order. Check whether the shopper paid twice by mistake.',
};

const formatReason = (reason: string): string => REASONS[reason] ?? reason;
