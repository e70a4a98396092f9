import { type OrderRecord, withResolution } from '../../../src/server/orders/store/OrderRecord.js';
import type {
  CheckoutRecord,
  OrderStore,
  PendingChange,
} from '../../../src/server/orders/store/OrderStore.js';

/** Returns a copy of a store in which the orders of `resolved` were refunded by hand, as in a `SqlOrderStore`. */
export function withResolved<Transaction>(
  store: OrderStore<Transaction>,
  resolved: ReadonlySet<string>,
): OrderStore<Transaction> {
  const resolve = (record: OrderRecord) =>
    resolved.has(record.order.orderId) ? withResolution(record, 'refunded') : record;
  const resolveOf = (checkout: CheckoutRecord) => ({
    ...checkout,
    orders: checkout.orders.map(resolve),
  });
  return {
    ...store,
    async findCheckout(...call) {
      const found = await store.findCheckout(...call);
      return found && resolveOf(found);
    },
    async listCheckouts(query) {
      const { newest, named } = await store.listCheckouts(query);
      return { newest: newest.map(resolveOf), named: named.map(resolveOf) };
    },
    handleChange: (change, handle) =>
      store.handleChange(change, (latest, ...rest) =>
        handle({ ...latest, record: resolve(latest.record) } as PendingChange, ...rest),
      ),
  };
}
