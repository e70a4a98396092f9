import type { ListedCheckout } from '@partner-ramp/react';
import { type ReactElement, useId } from 'react';
import { PrintArt } from '../shop/PrintArt.js';
import { PrintFacts } from './PrintFacts.js';
import { useOrderPrint } from './useOrderPrint.js';

interface OrderCardProps {
  readonly checkout: ListedCheckout;
  /** The state of the checkout, as the package shows it. */
  readonly entry: ReactElement;
}

export function OrderCard({ checkout, entry }: OrderCardProps) {
  const id = useId();
  const order = useOrderPrint(checkout);
  const print = order?.print;
  const isTopUp = checkout.widget === 'on-ramp';
  const title = isTopUp ? 'Top-up of your wallet' : (print?.title ?? 'Print');
  return (
    <article className="order" aria-labelledby={id}>
      <div className="order-picture">
        {isTopUp ? <TopUpIcon /> : print && <PrintArt number={print.number} title={title} />}
      </div>
      <div className="order-text">
        <h2 id={id} className="order-title">
          {/* Checkouts can have the same title, so screen readers also get the amount and the time here. Sighted
          shoppers see both in the entry below. */}
          {title} <span className="visually-hidden">{describeCheckout(checkout)}</span>
        </h2>
        {!isTopUp && <PrintFacts order={order} />}
        {entry}
      </div>
    </article>
  );
}

const timeFormatter = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Returns the paid amount, if there is one, and the time, such as `100.00 USD, Nov 23, 2026, 5:40 PM`. */
function describeCheckout({ orders, createdAt }: ListedCheckout): string {
  const [{ currencyAmount, fiatCurrency } = {}, ...others] = orders;
  const time = timeFormatter.format(createdAt * 1000);
  return currencyAmount && fiatCurrency && others.length === 0
    ? `${currencyAmount} ${fiatCurrency}, ${time}`
    : time;
}

function TopUpIcon() {
  return (
    <svg className="top-up-icon" viewBox="0 0 48 60" aria-hidden="true">
      <path d="M24 16v24M14 31l10 10 10-10" />
      <path d="M12 48h24" />
    </svg>
  );
}
