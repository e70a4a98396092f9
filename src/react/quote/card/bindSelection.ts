import type { ButtonHTMLAttributes } from 'react';
import type { OnRampParameterProps } from '../../../client/params/OnRampParameters.js';
import { getCurrencySymbol } from '../../../client/quote/currencyOptions.js';
import type {
  QuoteForm,
  QuotePreviewOptions,
  QuotePreviewStatus,
} from '../../../client/quote/QuoteForm.js';
import { formatBought, type QuoteTexts } from '../../../client/quote/quoteTexts.js';
import { fitsParameter } from '../../../client/quote/selection.js';
import { fillText } from '../../../protocol/fillText.js';
import type { Widget } from '../../../protocol/widget/widgetParameters.js';

/** The props that the card gives to a button inside it. */
type SelectedButtonProps = Partial<OnRampParameterProps> &
  Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-disabled' | 'aria-describedby' | 'children'>;

/** Adds the card's selection to the props of a button in it. */
export type BindSelection = <P extends object>(props: P, widget: Widget) => P;

/** A button with one of these props buys something other than the quoted purchase, unless it fixes the card's amount. */
const OVERRIDING_PROPS = ['amount', 'amountFixed', 'defaultCurrency', 'cryptoCurrency'];

/** The states in which the selection cannot be bought. The card explains them in its note. */
const UNAVAILABLE: readonly QuotePreviewStatus[] = ['empty', 'below', 'above', 'unavailable'];

/**
 * Returns a function that adds the selection to the props of a button in the card. The button's own props take
 * precedence.
 *
 * @param noteId - The id of the element that says why the button is disabled.
 */
export function bindSelection(
  form: QuoteForm,
  options: QuotePreviewOptions,
  texts: QuoteTexts,
  noteId: string,
): BindSelection {
  const fiatOnly: SelectedButtonProps = omitUndefined({
    defaultFiatCurrency: form.selection?.fiatCurrency,
  });
  const isNft = options.buyType === 'nft';
  const selected = isNft
    ? fiatOnly
    : omitUndefined(createSelectedProps(form, options, texts, noteId));
  return <P extends object>(props: P, widget: Widget): P => {
    const ownProps = omitUndefined(props);
    // Pass only the fiat currency to a button that opens the other widget, because an amount means something else
    // there.
    if ((widget === 'nft') !== isNft) return { ...fiatOnly, ...ownProps };
    const { amountFixed }: { amountFixed?: unknown } = ownProps;
    // A fixed amount replaces the one that the shopper may change in the widget.
    const { amount, ...withoutAmount } = selected;
    const chosen = amountFixed === undefined ? selected : withoutAmount;
    const hasOverride = OVERRIDING_PROPS.some(
      (name) => name in ownProps && !(name === 'amountFixed' && amountFixed === amount),
    );
    return { ...chosen, ...(hasOverride && unsetButtonProps), ...ownProps };
  };
}

function createSelectedProps(
  form: QuoteForm,
  options: QuotePreviewOptions,
  texts: QuoteTexts,
  noteId: string,
): SelectedButtonProps {
  const { status, selection, crypto, data: quote, isPrevious } = form;
  const { messages } = texts;
  const symbol = crypto && getCurrencySymbol(crypto);
  const bought = symbol && quote && !isPrevious ? formatBought(quote, texts) : symbol;
  const label = bought && fillText(messages.buyAmount, { amount: bought });
  const isUnavailable = UNAVAILABLE.includes(status);
  const isOff = isUnavailable || status === 'idle' || (status === 'loading' && !selection);
  return {
    amount: selection?.amount || undefined,
    fiatCurrency: options.fiatCurrency,
    defaultFiatCurrency: selection?.fiatCurrency,
    // The backend signs the wallet of the selected coin, so the widget must not offer a coin of another chain.
    cryptoCurrency: options.walletChains ? selection?.cryptoCurrencyCode : options.cryptoCurrency,
    defaultCurrency: selection?.cryptoCurrencyCode,
    // The network may be a human-readable name, such as `Ethereum Mainnet`.
    cryptoNetwork: fitsParameter('cryptoNetwork', crypto?.network)
      ? crypto?.network
      : options.cryptoNetwork,
    // Set `aria-disabled` instead of `disabled`, which would remove the focus from the button.
    'aria-disabled': isOff || undefined,
    // The status `idle` needs no description, because the label itself asks for an amount.
    'aria-describedby': isUnavailable ? noteId : undefined,
    children: selection && status === 'idle' ? messages.enterAmount : label,
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
