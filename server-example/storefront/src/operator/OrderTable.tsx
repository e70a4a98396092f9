import { DateTime } from '../shop/DateTime.js';
import type { MatchStatusFilter, OperatorOrder } from './useOperator.js';

const FILTERS: readonly (readonly [MatchStatusFilter, string])[] = [
  ['all', 'All'],
  ['matched', 'Matched'],
  ['quarantined', 'Quarantined'],
  ['unknown', 'Unknown state'],
  ['unmatched', 'Unmatched'],
];

const MATCH_STATUS_LABELS: Readonly<Record<OperatorOrder['matchStatus'], string>> = {
  matched: 'Matched',
  quarantined: 'Quarantined',
  unknown: 'Unknown state',
  unmatched: 'Unmatched',
};

const FULFILMENT_LABELS: Readonly<Record<OperatorOrder['fulfilment'], string>> = {
  delivered: 'Delivered',
  settled: 'Delivered and settled',
  'needs-attention': 'Needs attention',
  handled: 'Handled',
  none: 'Not delivered',
};

interface OrderTableProps {
  readonly orders: readonly OperatorOrder[] | undefined;
  readonly matchStatus: MatchStatusFilter;
  readonly isMore: boolean;
  readonly onMatchStatusChange: (matchStatus: MatchStatusFilter) => void;
  readonly onMore: () => void;
}

/** Lists orders, the most recently changed first. */
export function OrderTable({
  orders,
  matchStatus,
  isMore,
  onMatchStatusChange,
  onMore,
}: OrderTableProps) {
  return (
    <section className="operator-section" aria-labelledby="orders">
      <h2 id="orders">Orders</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form */}
      <div className="filters" role="group" aria-label="Filter by match status">
        {FILTERS.map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={matchStatus === name}
            onClick={() => onMatchStatusChange(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <table className="operator-table" aria-busy={!orders}>
        <caption className="visually-hidden">Orders, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col" className="figure">
              Paid
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {orders?.map((order) => (
            <tr key={order.orderId}>
              <th scope="row">
                {order.title ?? 'Top-up'}
                <span className="facts">
                  <DateTime at={order.finishTime ?? order.changedAt} />
                  <code>{order.orderId}</code>
                </span>
              </th>
              <td className="figure">
                {order.paid}
                <span className="facts">{order.bought}</span>
              </td>
              <td>
                <span className="badge" data-status={order.matchStatus}>
                  {MATCH_STATUS_LABELS[order.matchStatus]}
                </span>
                <span className="facts">{FULFILMENT_LABELS[order.fulfilment]}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {orders?.length === 0 && <p className="empty">No orders.</p>}
      {isMore && (
        <button type="button" className="older" onClick={onMore}>
          Show older orders
        </button>
      )}
    </section>
  );
}
