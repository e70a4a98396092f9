import type { ButtonHTMLAttributes } from 'react';
import type { OnRampParameterProps } from '../../../client/params/OnRampParameters.js';
import { getCurrencySymbol } from '../../../client/quote/currencyOptions.js';
import { type Allowed, fitsParameter } from '../../../client/quote/selection.js';
import { fillText } from '../../../protocol/fillText.js';
import type { Widget } from '../../../protocol/widget/widgetParameters.js';
import { formatBought, type QuoteCardView } from './quoteCardView.js';

/** The props that the card gives to a button inside it. */
type SelectedButtonProps = Partial<OnRampParameterProps> &
  Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-disabled' | 'aria-describedby' | 'children'>;

/** A button with one of these props buys something other than the quoted purchase. */
const OVERRIDING_PROPS = ['amount', 'amountFixed', 'defaultCurrency', 'cryptoCurrency'];

/**
 * Returns a function that adds the selection to the props of a button in the card. The button's own props take
 * precedence.
 *
 * @param noteId - The id of the element that says why the button is disabled.
 */
export function bindSelection(view: QuoteCardView, allowed: Allowed, noteId: string) {
  const chosen = omitUndefined(createSelectedProps(view, allowed, noteId));
  return <P extends object>(props: P, widget: Widget): P => {
    const ownProps = omitUndefined(props);
    // Pass only the fiat currency to a button that opens the other widget, because an amount has another meaning there.
    if ((widget === 'nft') !== view.nft)
      return { defaultFiatCurrency: chosen.defaultFiatCurrency, ...ownProps };
    const hasOverride = OVERRIDING_PROPS.some((name) => name in ownProps);
    return { ...chosen, ...(hasOverride && unsetButtonProps), ...ownProps };
  };
}

function createSelectedProps(
  view: QuoteCardView,
  { fiatCurrency, cryptoCurrency, cryptoNetwork, walletChains }: Allowed,
  noteId: string,
): SelectedButtonProps {
  const { status, choice, data: quote, isPrevious, nft, messages } = view;
  const { selection, crypto } = choice ?? {};
  if (nft) return { defaultFiatCurrency: selection?.fiatCurrency };
  const bought = crypto && getCurrencySymbol(crypto);
  const amount = bought && quote && !isPrevious ? formatBought(view, quote) : bought;
  const label = amount && fillText(messages.buyAmount, { amount });
  const isUnavailable = /empty|below|above|unavailable/.test(status);
  const isOff = isUnavailable || status === 'idle' || (status === 'loading' && !choice);
  return {
    amount: selection?.amount || undefined,
    fiatCurrency,
    defaultFiatCurrency: selection?.fiatCurrency,
    // The backend signs the wallet of the selected coin, so the widget must not offer a coin of another chain.
    cryptoCurrency: walletChains ? selection?.cryptoCurrencyCode : cryptoCurrency,
    defaultCurrency: selection?.cryptoCurrencyCode,
    // The network may be a name for people, such as `Ethereum Mainnet`.
    cryptoNetwork: fitsParameter('cryptoNetwork', crypto?.network)
      ? crypto?.network
      : cryptoNetwork,
    // Set `aria-disabled` instead of `disabled`, which would remove the focus from the button.
    'aria-disabled': isOff || undefined,
    // The status `idle` needs no description, because the label itself asks for an amount.
    'aria-describedby': isUnavailable ? noteId : undefined,
    children: choice && status === 'idle' ? messages.enterAmount : label,
  };
}

/** Props that remove the label and the disabled state, because both are right only for the card's own amount. */
const unsetButtonProps: SelectedButtonProps = {
  children: undefined,
  'aria-disabled': undefined,
  'aria-describedby': undefined,
};

const omitUndefined = <P extends object>(props: P): P =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as P;
