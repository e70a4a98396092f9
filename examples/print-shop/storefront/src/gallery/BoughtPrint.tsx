import {
  CheckoutStatus,
  type CheckoutStatusRootProps,
  type CheckoutStatusState,
} from '@partner-ramp/react';
import { useId } from 'react';
import { PrintFacts } from '../orders/PrintFacts.js';
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
      className="order bought"
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
      <div className="order-picture">
        {print && <PrintArt number={print.number} title={title} />}
      </div>
      <div className="bought-text">
        <h3 id={titleId} className="order-title">
          {title}
        </h3>
        <PrintFacts order={order} />
        {next && <p className="order-next">{next}</p>}
        {children}
        <a href="/orders">Your orders</a>
      </div>
    </div>
  );
}
