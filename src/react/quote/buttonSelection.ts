import type { Widget } from '../../protocol/widget-parameter.js';
import type { ButtonProps } from '../RampProvider.js';
import type { Allowed } from './chooseFrom.js';
import { symbolOf } from './currencyOptions.js';
import { fillText } from './fillText.js';
import type { QuoteCardView } from './QuoteCardView.js';

const NOTHING_TO_BUY = /empty|idle|below|above|unavailable/;
/** A button that says one of these itself opens something else than what is priced. */
const OTHERWISE = ['amount', 'amountFixed', 'defaultCurrency', 'cryptoCurrency'];

/** Adds what is chosen to the props of the button inside the card; its own win. */
export function buttonSelection(view: QuoteCardView, allowed: Allowed) {
  const chosen = nothingAbsent(chosenProps(view, allowed));
  return <P extends object>(own: P, widget: Widget): P => {
    const given = nothingAbsent(own);
    // An amount of the one would be something else to the other.
    if ((widget === 'nft') !== view.nft)
      return { defaultFiatCurrency: chosen.defaultFiatCurrency, ...given };
    const saysOtherwise = OTHERWISE.some((name) => name in given);
    return { ...chosen, ...(saysOtherwise && ungoverned), ...given };
  };
}

function chosenProps(
  { status, choice, quote, isPrevious, nft, messages, formats }: QuoteCardView,
  { fiatCurrency, cryptoCurrency, cryptoNetwork }: Allowed,
): ButtonProps {
  const { selection, crypto } = choice ?? {};
  if (nft) return { defaultFiatCurrency: selection?.fiatCurrency };
  const bought = crypto && symbolOf(crypto);
  const amount =
    bought && quote && !isPrevious ? formats.coin(quote.cryptoCurrencyAmount, bought) : bought;
  const isOff = NOTHING_TO_BUY.test(status) || (status === 'loading' && !choice);
  return {
    amount: selection?.amount || undefined,
    fiatCurrency,
    defaultFiatCurrency: selection?.fiatCurrency,
    cryptoCurrency,
    defaultCurrency: selection?.cryptoCurrencyCode,
    cryptoNetwork: crypto?.network || cryptoNetwork,
    // Not `disabled`: that would take the focus from whoever is about to press it.
    'aria-disabled': isOff || undefined,
    children: amount && fillText(messages.buyAmount, { amount }),
  };
}

/** What the card says of its own amount. */
const ungoverned: ButtonProps = { children: undefined, 'aria-disabled': undefined };

/** What is given as `undefined` is not given. */
const nothingAbsent = <P extends object>(props: P): P =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as P;
