import { getCurrencySymbol } from './currencyOptions.js';
import type { QuoteCardView } from './QuoteCardView.js';

/** Shows the fees and totals of a quote. */
export function PriceBreakdown({ view }: { view: QuoteCardView }) {
  const { quote, messages, formats } = view;
  const formatFiat = (amount: string | undefined) =>
    quote && amount != null ? formats.money(amount, quote.fiatCurrency) : undefined;
  const rows = [
    [messages.amount, formatFiat(quote?.currencyAmount)],
    [messages.gasFee, formatFiat(quote?.gasFee)],
    [messages.processingFee, formatFiat(quote?.platformFee)],
    [messages.totalFee, formatFiat(quote?.totalFee)],
    [
      messages.amountReceived,
      quote && formats.coin(quote.cryptoCurrencyAmount, getCurrencySymbol(quote)),
    ],
  ].filter(([, figure]) => figure || !quote);
  return (
    <details className="ramp-quote-breakdown">
      <summary>{messages.priceBreakdown}</summary>
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
