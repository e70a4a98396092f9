import type { SandboxQuote } from '../../catalog/pricing.js';
import { useLocale } from '../locale/Locale.js';

/** Shows the price of one unit, on the line between the two amounts. */
export function Rate({ quote }: { quote: SandboxQuote | undefined }) {
  const { formats } = useLocale();
  return (
    <p className="exchange-rate">
      {quote && (
        <bdi>
          {`1 ${quote.cryptoCurrency} = ${formats.price(quote.cryptoCurrencyUnitPrice, quote.fiatCurrency)}`}
        </bdi>
      )}
    </p>
  );
}
