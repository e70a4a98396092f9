import { useRef } from 'react';
import { DateTime } from '../shop/DateTime.js';
import { formatReason } from './formatReason.js';
import type { OperatorOverview } from './OperatorOverview.js';

interface CasesProps {
  readonly overview: OperatorOverview;
  readonly onHandled: (orderId: string) => unknown;
}

/** Paid orders that nothing was done for: somebody has to. */
export function CaseList({ overview: { cases, moreCases }, onHandled }: CasesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="operator-section" aria-labelledby="cases">
      <h2 id="cases" ref={heading} tabIndex={-1}>
        Waits for you{cases.length > 0 && <span className="count">{cases.length + moreCases}</span>}
      </h2>
      {cases.length === 0 ? (
        <p className="empty">Nothing does. Every paid order is as it was agreed.</p>
      ) : (
        <p className="operator-note">
          These were paid, and the shop has delivered nothing for them. See to each at the service,
          mostly by paying it back, then mark it.
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
                    It differs in <code>{field}</code>.
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
                // The button goes away with its case.
                heading.current?.focus();
                onHandled(orderId);
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
