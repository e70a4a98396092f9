import type { ButtonHTMLAttributes } from 'react';
import { fillText } from '../../../protocol/fillText.js';
import type { Widget } from '../../../protocol/widget/WidgetParameter.js';
import type { OnRampParameterProps } from '../../params/OnRampParameterProps.js';
import type { Allowed } from '../selection/resolveChoice.js';
import { getCurrencySymbol } from './currencyOptions.js';
import type { QuoteCardView } from './QuoteCardView.js';

/** The props that the card gives to a button inside it. */
type SelectedButtonProps = Partial<OnRampParameterProps> &
  Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-disabled' | 'children'>;

const UNAVAILABLE_STATUS = /empty|idle|below|above|unavailable/;
/** A button that says one of these itself opens something else than what is priced. */
const OVERRIDING_PROPS = ['amount', 'amountFixed', 'defaultCurrency', 'cryptoCurrency'];

/** Adds what is chosen to the props of the button inside the card; its own win. */
export function bindSelection(view: QuoteCardView, allowed: Allowed) {
  const chosen = omitUndefined(createSelectedProps(view, allowed));
  return <P extends object>(own: P, widget: Widget): P => {
    const given = omitUndefined(own);
    // An amount of the one would be something else to the other.
    if ((widget === 'nft') !== view.nft)
      return { defaultFiatCurrency: chosen.defaultFiatCurrency, ...given };
    const saysOtherwise = OVERRIDING_PROPS.some((name) => name in given);
    return { ...chosen, ...(saysOtherwise && unsetButtonProps), ...given };
  };
}

function createSelectedProps(
  { status, choice, quote, isPrevious, nft, messages, formats }: QuoteCardView,
  { fiatCurrency, cryptoCurrency, cryptoNetwork }: Allowed,
): SelectedButtonProps {
  const { selection, crypto } = choice ?? {};
  if (nft) return { defaultFiatCurrency: selection?.fiatCurrency };
  const bought = crypto && getCurrencySymbol(crypto);
  const amount =
    bought && quote && !isPrevious ? formats.coin(quote.cryptoCurrencyAmount, bought) : bought;
  const isOff = UNAVAILABLE_STATUS.test(status) || (status === 'loading' && !choice);
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
const unsetButtonProps: SelectedButtonProps = { children: undefined, 'aria-disabled': undefined };

/** What is given as `undefined` is not given. */
const omitUndefined = <P extends object>(props: P): P =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as P;
