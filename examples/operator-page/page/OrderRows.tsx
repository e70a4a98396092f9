import { Short } from './Copyable.js';
import {
  type FoundRow,
  type OperatorCheckout,
  type OperatorOrder,
  toHash,
} from './operatorData.js';
import { Time } from './Time.js';
import { describeMatch, describeUnpaid, FULFILMENT_LABELS } from './texts.js';

interface OrderTableProps {
  readonly rows: readonly FoundRow[];
  readonly caption: string;
}

/** A table of orders, and of checkouts without an order. The name in a row opens the drawer. */
export function OrderTable({ rows, caption }: OrderTableProps) {
  return (
    <table className="operator-table order-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col" className="figure">
            Amount
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ order, checkout }) =>
          order ? (
            <OrderRow key={order.orderId} order={order} />
          ) : (
            <UnpaidRow key={checkout.reference} checkout={checkout} />
          ),
        )}
      </tbody>
    </table>
  );
}

function OrderRow({ order }: { order: OperatorOrder }) {
  const { title, fulfilment, paid, bought, shopper, wallet, finishTime, changedAt } = order;
  return (
    <tr>
      <th scope="row">
        <a className="row-link" href={toHash(order)}>
          {title}
        </a>
        <Facts at={finishTime ?? changedAt} shopper={shopper} wallet={wallet} />
      </th>
      <td className="figure">
        {paid}
        <span className="facts">{bought}</span>
      </td>
      <td>
        <span className="badge" data-status={fulfilment}>
          {FULFILMENT_LABELS[fulfilment]}
        </span>
        <span className="facts">{describeMatch(order)}</span>
      </td>
    </tr>
  );
}

function UnpaidRow({ checkout }: { checkout: OperatorCheckout }) {
  const { title, createdAt, shopper, wallet, requested } = checkout;
  const { status, label, detail } = describeUnpaid(checkout, Date.now() / 1000);
  return (
    <tr>
      <th scope="row">
        <a className="row-link" href={toHash(checkout)}>
          {title}
        </a>
        <Facts at={createdAt} shopper={shopper} wallet={wallet} />
      </th>
      <td className="figure">
        {requested ?? '–'}
        {requested && <span className="facts">requested</span>}
      </td>
      <td>
        <span className="badge" data-status={status}>
          {label}
        </span>
        <span className="facts">{detail}</span>
      </td>
    </tr>
  );
}

interface FactsProps {
  readonly at: number;
  readonly shopper: string | undefined;
  readonly wallet: string | undefined;
}

/** What tells one order from another: when, whose, and to which wallet. */
const Facts = ({ at, shopper, wallet }: FactsProps) => (
  <span className="facts">
    <Time at={at} />
    {shopper && <bdi>{shopper}</bdi>}
    {wallet && <Short value={wallet} />}
  </span>
);
