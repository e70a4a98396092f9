import {
  CheckoutStatus,
  type CheckoutStatusRootProps,
  type CheckoutStatusState,
} from '@partner-ramp/react';
import { useId } from 'react';
import { useOrderPrint } from '../orders/useOrderPrint.js';
import { PrintArt } from '../shop/PrintArt.js';

/** What a paid print means for the shopper, and what comes next. */
const nextSteps: Readonly<Record<string, string>> = {
  finished:
    'The print is yours, and your part is done. Next, the payment goes to the seller, which you can follow here.',
  settlement: 'The print is yours. Your payment is on its way to the seller.',
  settled: 'The print is yours, and the seller has been paid. Nothing is left to do.',
};

/** The shopper's latest print: its picture and title, the state of its checkout, and what comes next. */
export function BoughtPrint() {
  const id = useId();
  return (
    <CheckoutStatus
      widget="nft"
      id="bought"
      className="bought"
      aria-labelledby={id}
      render={(card, state) => <PrintOrder titleId={id} card={card} state={state} />}
    />
  );
}

interface PrintOrderProps {
  readonly titleId: string;
  readonly card: CheckoutStatusRootProps;
  readonly state: CheckoutStatusState;
}

function PrintOrder({ titleId, card, state: { data: checkout } }: PrintOrderProps) {
  const order = useOrderPrint(checkout);
  const print = order?.print;
  const title = print?.title ?? 'Your print';
  const { children, ...root } = card;
  const isSale = !checkout?.resolution && !order?.isSoldBefore;
  const next = isSale && checkout ? nextSteps[checkout.progress] : undefined;
  return (
    <div {...root}>
      <div className="bought-picture">
        {print && <PrintArt number={print.number} title={title} />}
      </div>
      <div className="bought-text">
        <h3 id={titleId}>{title}</h3>
        <p className="bought-facts">
          {print && `No. ${print.number}`}
          {print && print.quantity > 1 && ` · ${print.quantity} prints`}
        </p>
        {order?.isSoldBefore && (
          <p className="bought-next">
            <strong>Another shopper paid for this print before you.</strong> The shop is refunding
            your payment.
          </p>
        )}
        {next && <p className="bought-next">{next}</p>}
        {children}
        <a href="/orders">Your orders</a>
      </div>
    </div>
  );
}
