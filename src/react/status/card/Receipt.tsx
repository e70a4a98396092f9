import { formatNetwork } from '../../../client/format/formatName.js';
import type { ReceiptLine } from '../../../client/status/printReceipt.js';
import type { StatusView } from '../../../client/status/statusView.js';
import type { CheckoutResponse, OrderSummary } from '../../../protocol/handler/CheckoutResponse.js';
import { isPaidOrder } from '../../../protocol/handler/progress.js';
import { useCopy } from './useCopy.js';

/** Returns the lines of a receipt: the reference, and the number, time, amounts and transaction of each paid order. */
export function createReceipt(
  { reference, widget, orders }: CheckoutResponse,
  { messages, formats, time }: StatusView,
): readonly ReceiptLine[] {
  const format = (amount = '', code: string | undefined, write: typeof formats.coin) =>
    amount && (code ? write(amount, code) : formats.number(amount));
  const toLines = (order: OrderSummary): readonly (readonly [string, string | undefined])[] => [
    [messages.orderId, order.orderId],
    [messages.receiptDate, time(order.payTime ?? order.finishTime, true)?.text],
    [messages.youPaid, format(order.currencyAmount, order.fiatCurrency, formats.money)],
    [
      widget === 'nft' ? messages.nftAmount : messages.youReceived,
      format(order.cryptoCurrencyAmount, order.cryptoCurrency, formats.coin),
    ],
    [messages.network, formatNetwork(order.network)],
    [messages.transaction, order.transactionHash],
  ];
  return [[messages.reference, reference], ...orders.filter(isPaidOrder).flatMap(toLines)].flatMap(
    ([name = '', value]) => (value ? [[name, value] as const] : []),
  );
}

interface ReceiptProps {
  readonly checkout: CheckoutResponse;
  readonly view: StatusView;
}

/** The reference of a checkout, and buttons that copy and print the receipt once an order is paid. */
export function Receipt({ checkout, view }: ReceiptProps) {
  const { messages } = view;
  const lines = createReceipt(checkout, view);
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  const { state, copy, show } = useCopy(text);
  const print = (trigger: HTMLElement) =>
    import('../../../client/status/printReceipt.js').then(
      ({ printReceipt }) => printReceipt(messages.receipt, lines, trigger),
      // The code failed to load: show the text instead.
      show,
    );
  return (
    <div className="ramp-status-receipt">
      <p>
        <span>{`${messages.reference} `}</span>
        <code dir="ltr">{checkout.reference}</code>
      </p>
      {checkout.orders.some(isPaidOrder) && (
        <div className="ramp-status-receipt-actions">
          <button type="button" onClick={copy}>
            <span>{messages.copyReceipt}</span>
            {state === 'copied' && <span aria-hidden="true"> ✓</span>}
          </button>
          <button type="button" onClick={({ currentTarget }) => print(currentTarget)}>
            {messages.printReceipt}
          </button>
        </div>
      )}
      {state === 'shown' && (
        <textarea readOnly rows={lines.length} value={text} aria-label={messages.receipt} />
      )}
      <span role="status" className="ramp-visually-hidden">
        {state === 'copied' && messages.copied}
      </span>
    </div>
  );
}
