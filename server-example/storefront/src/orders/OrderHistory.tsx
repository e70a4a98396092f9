import { OrderCard } from './OrderCard.js';
import { useOrders } from './useOrders.js';

/** Lists the shopper's checkouts, with a button for the next page. */
export function OrderHistory() {
  const { orders, isMore, hasFailed, showMore } = useOrders();
  return (
    <>
      {hasFailed && (
        <p className="error-message" role="alert">
          Your orders could not be loaded. They are safe, and this page retries automatically.
        </p>
      )}
      {orders?.length === 0 && (
        <p className="no-orders">
          No orders yet. <a href="/#for-sale">See the prints for sale</a>, or{' '}
          <a href="/#top-up">top up your wallet</a>.
        </p>
      )}
      <ul className="order-list" aria-label="Your orders" aria-busy={!orders}>
        {orders?.map((order) => (
          <li key={order.reference}>
            <OrderCard order={order} />
          </li>
        ))}
      </ul>
      {isMore && (
        <button type="button" className="older" onClick={showMore}>
          Show older orders
        </button>
      )}
    </>
  );
}
