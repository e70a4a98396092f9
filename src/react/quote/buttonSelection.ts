import type { ButtonSelection } from '../RampProvider.js';
import type { Allowed } from './chooseFrom.js';
import { symbolOf } from './currencyOptions.js';
import { fillText } from './fillText.js';
import type { QuoteCardView } from './QuoteCardView.js';

const NOTHING_TO_BUY = /empty|idle|below|above|unavailable/;

/** What is chosen, as props of the button inside the card. */
export function buttonSelection(
  { status, choice, quote, isPrevious, nft, messages, formats }: QuoteCardView,
  { fiatCurrency, cryptoCurrency }: Allowed,
): ButtonSelection {
  const { selection, crypto } = choice ?? {};
  if (nft) return { defaultFiatCurrency: selection?.fiatCurrency };
  const bought = crypto && symbolOf(crypto);
  const amount =
    bought && quote && !isPrevious ? formats.coin(quote.cryptoCurrencyAmount, bought) : bought;
  return {
    amount: selection?.amount || undefined,
    fiatCurrency,
    defaultFiatCurrency: selection?.fiatCurrency,
    cryptoCurrency,
    defaultCurrency: selection?.cryptoCurrencyCode,
    cryptoNetwork: crypto?.network,
    disabled: NOTHING_TO_BUY.test(status) || (status === 'loading' && !choice),
    children: amount && fillText(messages.buyAmount, { amount }),
  };
}
