import { When } from '../When.js';
import type { OperatorOrder } from './operator-types.js';
import type { Standing } from './useDesk.js';

const FILTERS: readonly (readonly [Standing, string])[] = [
  ['all', 'All'],
  ['matched', 'As agreed'],
  ['quarantined', 'Quarantined'],
  ['foreign', 'Not ours'],
];

const STANDINGS: Readonly<Record<OperatorOrder['standing'], string>> = {
  matched: 'As agreed',
  quarantined: 'Quarantined',
  foreign: 'Not ours',
};

const BOOKED: Readonly<Record<OperatorOrder['booked'], string>> = {
  delivered: 'Delivered',
  settled: 'Delivered, money arrived',
  waits: 'Waits for you',
  handled: 'Handled',
  nothing: 'Nothing done',
};

interface OrdersProps {
  readonly orders: readonly OperatorOrder[] | undefined;
  readonly standing: Standing;
  readonly isMore: boolean;
  readonly onStanding: (standing: Standing) => void;
  readonly onMore: () => void;
}

/** Every order of the list, the newest first. */
export function Orders({ orders, standing, isMore, onStanding, onMore }: OrdersProps) {
  return (
    <section className="desk-part" aria-labelledby="orders">
      <h2 id="orders">Orders</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent with a form */}
      <div className="filters" role="group" aria-label="Which orders">
        {FILTERS.map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={standing === name}
            onClick={() => onStanding(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <table className="desk-table" aria-busy={!orders}>
        <caption className="unseen">Orders, the newest first</caption>
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
                  <When at={order.finishTime ?? order.changedAt} />
                  <code>{order.orderId}</code>
                </span>
              </th>
              <td className="figure">
                {order.paid}
                <span className="facts">{order.bought}</span>
              </td>
              <td>
                <span className="standing" data-standing={order.standing}>
                  {STANDINGS[order.standing]}
                </span>
                <span className="facts">{BOOKED[order.booked]}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {orders?.length === 0 && <p className="nothing">There are none.</p>}
      {isMore && (
        <button type="button" className="older" onClick={onMore}>
          Show older ones
        </button>
      )}
    </section>
  );
}
