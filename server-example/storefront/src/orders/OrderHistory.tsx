import { OrderCard } from './OrderCard.js';
import { useOrders } from './useOrders.js';

/** The shopper's checkouts, page by page. */
export function OrderHistory() {
  const { orders, isMore, isLost, showMore } = useOrders();
  return (
    <>
      {isLost && (
        <p className="error-message" role="alert">
          Your orders could not be loaded. Nothing is lost: the page tries again by itself.
        </p>
      )}
      {orders?.length === 0 && (
        <p className="no-orders">
          Nothing yet. <a href="/#for-sale">See what is for sale</a>, or{' '}
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
          Show older ones
        </button>
      )}
    </>
  );
}
