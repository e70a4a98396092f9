import { useQuote } from '@partner-ramp/react';

/** Nobody decides by the second: the checkout says the exact amount. */
const REFRESH_SECONDS = 300;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

interface FiatPriceProps {
  /** Of all of them, in `cryptoCurrency`. */
  readonly price: string | undefined;
  readonly cryptoCurrency: string;
  readonly quantity: number;
}

/** About what a print costs on a card. While the service does not say, the line stays empty. */
export function FiatPrice({ price, cryptoCurrency, quantity }: FiatPriceProps) {
  const { quote, isPrevious } = useQuote(
    price
      ? {
          buyType: 'nft',
          fiatCurrency: 'USD',
          currencyAmount: price,
          cryptoCurrencyCode: cryptoCurrency,
        }
      : undefined,
    { refreshSeconds: REFRESH_SECONDS },
  );
  return (
    quote &&
    !isPrevious && (
      <>
        About {whole.format(Number(quote.currencyAmount))} {quote.fiatCurrency}
        {quantity > 1 && ` for ${quantity}`}
      </>
    )
  );
}
