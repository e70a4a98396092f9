import { OrderTable } from './OrderRows.js';
import type { OperatorOrder, OrderFilter } from './operatorData.js';

const FILTERS: readonly (readonly [OrderFilter, string])[] = [
  ['all', 'All'],
  ['needs-attention', 'Needs attention'],
  ['not-delivered', 'Not completed'],
  ['delivered', 'Completed'],
  ['handled', 'Handled'],
];

interface OrderListProps {
  readonly orders: readonly OperatorOrder[] | undefined;
  readonly filter: OrderFilter;
  readonly isMore: boolean;
  readonly onFilter: (filter: OrderFilter) => void;
  readonly onMore: () => void;
}

export function OrderList({ orders, filter, isMore, onFilter, onMore }: OrderListProps) {
  return (
    <section className="operator-section" aria-labelledby="orders">
      <h2 id="orders">Orders</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form */}
      <div className="filters" role="group" aria-label="Filter the orders">
        {FILTERS.map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={filter === name}
            onClick={() => onFilter(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="order-list-body" aria-busy={!orders}>
        {orders && (
          <OrderTable rows={orders.map((order) => ({ order }))} caption="Orders, newest first" />
        )}
        {orders?.length === 0 && (
          <p className="empty">
            {isMore
              ? 'None of the newest orders.'
              : filter === 'all'
                ? 'No orders yet.'
                : 'No such orders.'}
          </p>
        )}
      </div>
      {isMore && (
        <button type="button" className="older" onClick={onMore}>
          Show older orders
        </button>
      )}
    </section>
  );
}
