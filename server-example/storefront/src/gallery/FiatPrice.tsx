import { useQuote } from '@partner-ramp/react';

/** The price is an estimate; the checkout shows the exact amount. */
const REFRESH_SECONDS = 300;

const formatter = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

interface FiatPriceProps {
  /** The total in `cryptoCurrency`. */
  readonly price: string | undefined;
  readonly cryptoCurrency: string;
  readonly quantity: number;
}

/** Shows the approximate price in fiat. Empty without a quote. */
export function FiatPrice({ price, cryptoCurrency, quantity }: FiatPriceProps) {
  const { data: quote, isPrevious } = useQuote(
    price ? { amount: price, fiatCurrency: 'USD', cryptoCurrencyCode: cryptoCurrency } : undefined,
    { buyType: 'nft', refreshSeconds: REFRESH_SECONDS },
  );
  return (
    quote &&
    !isPrevious && (
      <>
        About {formatter.format(Number(quote.currencyAmount))} {quote.fiatCurrency}
        {quantity > 1 && ` for ${quantity}`}
      </>
    )
  );
}
