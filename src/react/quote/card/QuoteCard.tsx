// The content of the price card is one chunk, which loads while the currencies are requested.
import { useEffect, useState } from 'react';
import { focusCard } from '../../../client/focusCard.js';
import { getCurrencySymbol } from '../../../client/quote/currencyOptions.js';
import { fillText } from '../../../protocol/fillText.js';
import type { QuotePreviewProps } from '../QuotePreview.js';
import { formatMethodName, PaymentMethods } from './PaymentMethods.js';
import { QuoteRows } from './QuoteRows.js';
import {
  describeQuoteStatus,
  formatBought,
  getLimitText,
  type QuoteCardView,
} from './quoteCardView.js';
import { useTypedAmount } from './useTypedAmount.js';

export { bindSelection } from './bindSelection.js';
export { createQuoteCardView } from './quoteCardView.js';

const DEBOUNCE_MS = 600;
const CLEAR_MS = 5000;

interface QuoteCardProps {
  readonly view: QuoteCardView;
  readonly id: string;
  readonly presets: QuotePreviewProps['presetAmounts'];
}

export function QuoteCard({ view, id, presets }: QuoteCardProps) {
  const { status, error, messages, retry, choice } = view;
  const typed = useTypedAmount(view);
  const note = describeQuoteStatus(view);
  // Keep the amount field mounted while the lists of currencies may still load.
  const hasRows = choice !== undefined || status === 'loading' || status === 'offline';
  return (
    <>
      {hasRows && <QuoteRows view={view} typed={typed} id={id} presets={presets} />}
      {note && (
        <p id={`${id}note`} className="ramp-quote-note">
          <span>{`${note} `}</span>
          {error && !view.loadError && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                focusCard(currentTarget);
                retry();
              }}
            >
              {messages.retry}
            </button>
          )}
        </p>
      )}
      {hasRows && (
        <>
          <PaymentMethods view={view} name={`${id}method`} />
          <PriceBreakdown view={view} />
        </>
      )}
      <Announcer view={view} unclear={typed.refusal} />
    </>
  );
}

function PriceBreakdown({ view }: { view: QuoteCardView }) {
  const { data: quote, messages, formats } = view;
  const formatFiat = (amount: string | undefined) =>
    quote && amount != null ? formats.money(amount, quote.fiatCurrency) : undefined;
  const symbol = quote && getCurrencySymbol(quote);
  const totalFee = formatFiat(quote?.totalFee);
  const rows = [
    [messages.amount, formatFiat(quote?.currencyAmount)],
    [messages.gasFee, formatFiat(quote?.gasFee)],
    [messages.processingFee, formatFiat(quote?.platformFee)],
    [messages.totalFee, totalFee],
    // Show all digits of the unit price here. Above, the card shows it with fewer digits.
    ...(quote?.cryptoCurrencyUnitPrice && symbol
      ? [[formats.coin('1', symbol), formatFiat(quote.cryptoCurrencyUnitPrice)]]
      : []),
    [messages.amountReceived, quote && symbol && formats.coin(quote.cryptoCurrencyAmount, symbol)],
  ].filter(([, figure]) => figure || !quote);
  return (
    <details className="ramp-quote-breakdown">
      <summary>
        <span>{`${messages.priceBreakdown} `}</span>
        {totalFee && (
          <span className="ramp-quote-fees">{fillText(messages.fees, { amount: totalFee })}</span>
        )}
      </summary>
      <dl>
        {rows.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{figure ?? '–'}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/**
 * Announces the price, or why there is none, to screen readers once typing has paused. Automatic refreshes of the
 * price are not announced. If the new currency does not have the chosen payment method, the announcement names the
 * method that replaced it.
 */
function Announcer({ view, unclear }: { view: QuoteCardView; unclear: string | undefined }) {
  const { status, selection, choice } = view;
  const method = choice?.method?.name;
  const subject = JSON.stringify([status, view.limit ?? selection, unclear]);
  const [announced, setAnnounced] = useState({ subject: '', text: '', method });
  const isPending =
    status === 'loading' || status === 'refreshing' || subject === announced.subject;
  const isReplaced =
    announced.method && choice?.fiat.paymentOptions.every(({ name }) => name !== announced.method);
  const text = isPending
    ? announced.text
    : (unclear ?? getAnnouncement(view, isReplaced ? method : undefined));
  useEffect(() => {
    if (isPending) return;
    const timer = setTimeout(() => setAnnounced({ subject, text, method }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [isPending, subject, text, method]);
  // Clear the text after a while. A screen reader user who reaches it later would hear an outdated price.
  useEffect(() => {
    if (!announced.text) return;
    const timer = setTimeout(() => setAnnounced((known) => ({ ...known, text: '' })), CLEAR_MS);
    return () => clearTimeout(timer);
  }, [announced.text]);
  return (
    <p role="status" className="ramp-visually-hidden">
      {announced.text}
    </p>
  );
}

/** @param method - The payment method that has replaced the chosen one, if any. */
function getAnnouncement(view: QuoteCardView, method: string | undefined): string {
  const text = getPriceAnnouncement(view);
  if (!method) return text;
  return `${view.messages.paymentMethod}: ${formatMethodName(method, view.messages)}. ${text}`;
}

function getPriceAnnouncement(view: QuoteCardView): string {
  const { status, data: quote, limit, nft, messages, formats, selection } = view;
  if (limit && selection)
    return fillText(getLimitText(view), { amount: formats.coin(limit, selection.fiatCurrency) });
  if (status !== 'success' || !quote) return describeQuoteStatus(view);
  return nft
    ? `${messages.youPay}: ≈ ${formats.money(quote.currencyAmount, quote.fiatCurrency)}`
    : `${messages.youGet}: ≈ ${formatBought(view, quote)}`;
}
