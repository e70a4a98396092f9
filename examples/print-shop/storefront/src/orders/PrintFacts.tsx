import type { OrderPrint } from './useOrderPrint.js';

/** The number and the quantity of a bought print, and whether it was sold to somebody else before. */
export function PrintFacts({ order }: { readonly order: OrderPrint | undefined }) {
  const print = order?.print;
  return (
    <>
      <p className="order-facts">
        {print && `No. ${print.number}`}
        {print && print.quantity > 1 && ` · ${print.quantity} prints`}
      </p>
      {order?.isSoldBefore && (
        <p className="order-next">
          <strong>Another shopper paid for this print before you.</strong> The shop is refunding
          your payment.
        </p>
      )}
    </>
  );
}
