import type { ReactNode } from 'react';
import { fillText } from '../../../protocol/fillText.js';
import type { OrderSummary } from '../../../protocol/handler/CheckoutResponse.js';
import { formatNetwork } from '../../format/formatNetwork.js';
import type { StatusView } from './createStatusView.js';
import { TransactionLine } from './TransactionLine.js';

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
  const isSure = order.state !== 'unconfirmed';
  const rows: [name: string, content: ReactNode][] = [];
  const addRow = (name: string, text: string | undefined) => {
    if (text) rows.push([name, <bdi key={name}>{text}</bdi>]);
  };
  const write = (
    amount: string | undefined,
    code: string | undefined,
    format: typeof formats.coin,
  ) => amount && (code ? format(amount, code) : formats.number(amount));
  addRow(
    isSure ? messages.youPaid : messages.stepPayment,
    write(currencyAmount, fiatCurrency, formats.money),
  );
  addRow(
    isNft ? messages.nftAmount : isSure ? messages.youReceived : messages.stepDelivery,
    write(cryptoCurrencyAmount, cryptoCurrency, formats.coin),
  );
  addRow(messages.network, formatNetwork(network));
  if (order.transactionHash || order.transactionUrl)
    rows.push([messages.transaction, <TransactionLine key="hash" order={order} view={view} />]);
  const at = number ? time(order.finishTime) : undefined;
  return (
    <>
      {number && (
        <p className="ramp-status-order">
          {fillText(messages.orderNumber, { number: formats.number(`${number}`) })}{' '}
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
