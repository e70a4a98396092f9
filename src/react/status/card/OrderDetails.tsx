import type { ReactNode } from 'react';
import { formatNetwork } from '../../../client/format/formatName.js';
import type { StatusView } from '../../../client/status/statusView.js';
import { fillText } from '../../../protocol/fillText.js';
import type { OrderSummary } from '../../../protocol/handler/CheckoutResponse.js';
import { isPaidOrder } from '../../../protocol/handler/progress.js';
import { useCopy } from './useCopy.js';

interface OrderDetailsProps {
  readonly order: OrderSummary;
  readonly isNft: boolean;
  /** The number of the order, if there are several. */
  readonly number: number | undefined;
  readonly view: StatusView;
}

/** The amounts and the transaction of one order. Unknown values are omitted. */
export function OrderDetails({ order, isNft, number, view }: OrderDetailsProps) {
  const { messages, formats, time } = view;
  const { currencyAmount, fiatCurrency, cryptoCurrencyAmount, cryptoCurrency, network } = order;
  const isPaid = isPaidOrder(order);
  const rows: [name: string, content: ReactNode][] = [];
  const addRow = (name: string, text: string | undefined) => {
    if (text) rows.push([name, <bdi key={name}>{text}</bdi>]);
  };
  const formatAmount = (
    amount: string | undefined,
    code: string | undefined,
    format: typeof formats.coin,
  ) => amount && (code ? format(amount, code) : formats.number(amount));
  addRow(
    isPaid ? messages.youPaid : messages.stepPayment,
    formatAmount(currencyAmount, fiatCurrency, formats.money),
  );
  addRow(
    isNft ? messages.nftAmount : isPaid ? messages.youReceived : messages.stepDelivery,
    formatAmount(cryptoCurrencyAmount, cryptoCurrency, formats.coin),
  );
  addRow(messages.orderId, order.orderId);
  addRow(messages.network, formatNetwork(network));
  if (order.transactionHash || order.transactionUrl)
    rows.push([messages.transaction, <TransactionLine key="hash" order={order} view={view} />]);
  const at = number ? time(order.finishTime) : undefined;
  return (
    <>
      {number && (
        <p className="ramp-status-order">
          <span>
            {`${fillText(messages.orderNumber, { number: formats.number(`${number}`) })} `}
          </span>
          {at && <time dateTime={at.iso}>{at.text}</time>}
        </p>
      )}
      {rows.length > 0 && (
        <dl className="ramp-status-details">
          {rows.map(([name, content]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{content}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/**
 * Shows only the two ends of a long hash. The hash is shortened with CSS, so that copied text and screen readers get
 * all of it.
 */
const ShortHash = ({ hash }: { hash: string }) =>
  hash.length > 14 ? (
    <>
      <span>{hash.slice(0, 6)}</span>
      <span className="ramp-visually-hidden">{hash.slice(6, -4)}</span>
      <span className="ramp-status-dots" aria-hidden="true" />
      <span>{hash.slice(-4)}</span>
    </>
  ) : (
    <span>{hash}</span>
  );

/** The transaction: its hash, a button that copies it, and a link to a block explorer. */
function TransactionLine({ order, view }: { order: OrderSummary; view: StatusView }) {
  const { messages } = view;
  const { transactionHash: hash } = order;
  const url = parseHttpsUrl(order.transactionUrl);
  const { state, copy } = useCopy(`${hash}`);
  const isWhole = state === 'shown';
  return (
    <span className="ramp-status-transaction">
      {hash && (
        <code
          dir="ltr"
          title={hash}
          {...(isWhole && { 'data-expanded': true, tabIndex: -1, ref: takeLostFocus })}
        >
          {isWhole ? hash : <ShortHash hash={hash} />}
        </code>
      )}
      <span> </span>
      {hash && !isWhole && (
        <button type="button" title={messages.copyHash} onClick={copy}>
          <Icon path={state === 'copied' ? 'm4 10.5 4 4 8-9' : 'M7.5 7.5h8v8h-8zM4.5 12V4.5H12'} />
          <span className="ramp-visually-hidden">{messages.copyHash}</span>
        </button>
      )}
      <span> </span>
      {url && (
        <a href={url} title={messages.viewTransaction} target="_blank" rel="noreferrer">
          <Icon path="M8.5 5h-4v10.5H15v-4M11.5 4.5h4v4M15 5l-6 6" />
          <span className="ramp-visually-hidden">{messages.viewTransaction}</span>
        </a>
      )}
      <span role="status" className="ramp-visually-hidden">
        {state === 'copied' && messages.copied}
      </span>
    </span>
  );
}

/** Focuses an element that replaces a button, if the button had the focus. Otherwise the focus would be lost. */
const takeLostFocus = (element: HTMLElement | null) => {
  if (document.activeElement === document.body) element?.focus();
};

const Icon = ({ path }: { path: string }) => (
  <svg aria-hidden="true" viewBox="0 0 20 20" width="18" height="18" fill="none">
    <path d={path} stroke="currentColor" strokeWidth="1.5" />
  </svg>
);

/** Returns the URL if it is `https:`. The ramp handler checks that too, but a backend in another language may not. */
function parseHttpsUrl(url: string | undefined): string | undefined {
  try {
    return new URL(url ?? '').protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}
