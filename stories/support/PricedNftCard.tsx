import { NftCard, type NftCardProps } from '../../src/index.js';
import { createPriceFormats, useQuote } from '../../src/quotes.js';

const { money } = createPriceFormats('en');

/** The card of an NFT with its price in fiat, which the page requests itself. */
export function PricedNftCard(card: NftCardProps) {
  const { data: quote } = useQuote(
    { amount: card.price, fiatCurrency: 'EUR', cryptoCurrencyCode: card.currency },
    { buyType: 'nft' },
  );
  return (
    <NftCard
      {...card}
      fiatPrice={quote && `≈ ${money(quote.currencyAmount, quote.fiatCurrency)}`}
    />
  );
}
