import { useRef } from 'react';
import { When } from '../When.js';
import type { Overview } from './operator-types.js';
import { reasonOf } from './reasonOf.js';

interface CasesProps {
  readonly overview: Overview;
  readonly onHandled: (orderId: string) => unknown;
}

/** Paid orders that nothing was done for: somebody has to. */
export function Cases({ overview: { cases, moreCases }, onHandled }: CasesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="desk-part" aria-labelledby="cases">
      <h2 id="cases" ref={heading} tabIndex={-1}>
        Waits for you{cases.length > 0 && <span className="count">{cases.length + moreCases}</span>}
      </h2>
      {cases.length === 0 ? (
        <p className="nothing">Nothing does. Every paid order is as it was agreed.</p>
      ) : (
        <p className="desk-note">
          These were paid, and the shop has delivered nothing for them. See to each at the service,
          mostly by paying it back, then mark it.
        </p>
      )}
      <ul className="cases" aria-label="Cases">
        {cases.map(({ orderId, reference, reason, field, openedAt, order }) => (
          <li key={orderId} className="case">
            <div>
              <p className="case-reason">
                <strong>{reasonOf(reason)}</strong>
                {field && (
                  <>
                    {' '}
                    It differs in <code>{field}</code>.
                  </>
                )}
              </p>
              <p className="case-facts">
                {order && `${order.title ?? 'Top-up'}, ${order.paid} · `}
                <When at={openedAt} />
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
      {moreCases > 0 && <p className="desk-note">And {moreCases} more, once these are handled.</p>}
    </section>
  );
}
