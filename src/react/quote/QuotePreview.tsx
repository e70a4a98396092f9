import { forwardRef, useId } from 'react';
import { RampContext, useRampSettings } from '../provider/RampProvider.js';
import type { QuotePreviewProps, QuotePreviewRootProps } from './QuotePreviewProps.js';
import { QuoteSkeleton } from './QuoteSkeleton.js';
import { useQuoteCard } from './useQuoteCard.js';
import { useQuotePreview } from './useQuotePreview.js';

/** Disables the button in the card until there is a selection. */
const disableWhileLoading = <P extends object>(own: P): P => ({ 'aria-disabled': true, ...own });

/**
 * Report no selection and no quote until the card's code has loaded: hydration must match the server's markup
 * even if another card has filled the cache.
 */
const noQuote = { selection: undefined, quote: undefined, isPrevious: false } as const;

/**
 * A card that shows the price of a purchase before the checkout is opened: an amount, two currencies, the
 * payment methods with their limits, and a quote that is refreshed automatically.
 *
 * It requests the partner's backend under `api`, from {@link RampProvider} or its own prop. Amounts are plain
 * decimal strings: fiat with at most two decimals, with `buyType="nft"` cryptocurrency with at most
 * eighteen. An `OnRampButton` inside opens the widget with the selection; props of the button override it. The
 * payment method is only a preview, because the widget has its own choice. Nothing enforces the selection: a
 * shopper can change amount and currencies in the widget. The limits are in fiat, so an NFT's price is not
 * checked against them.
 *
 * The state is in `data-state`, see {@link QuotePreviewStatus}. Errors are shown in the card with a retry button
 * and passed to `children` and `render`; the card never throws.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <QuotePreview defaultValue={{ amount: '100', fiatCurrency: 'EUR' }}>
 *     <OnRampButton />
 *   </QuotePreview>
 * </RampProvider>
 */
export const QuotePreview = /* @__PURE__ */ forwardRef<HTMLDivElement, QuotePreviewProps>(
  function QuotePreview(props, ref) {
    const {
      api,
      credentials,
      headers,
      messages,
      language,
      buyType: _buyType,
      omitPayment: _omitPayment,
      value: _value,
      defaultValue: _defaultValue,
      onValueChange: _onValueChange,
      onQuote: _onQuote,
      fiatCurrency: _fiatCurrency,
      cryptoCurrency: _cryptoCurrency,
      cryptoNetwork: _cryptoNetwork,
      locale,
      refreshSeconds: _refreshSeconds,
      render,
      className = '',
      children,
      ...native
    } = props;
    const settings = useRampSettings({ api, credentials, headers, messages, language });
    const { part: card, error, load } = useQuoteCard();
    const found = useQuotePreview(props, settings);
    const state = { error, status: error ? 'error' : 'loading', retry: load } as const;
    const view = card ? found : { ...found, ...noQuote, ...state };
    const { status } = view;
    const id = useId();
    const shown = card?.createQuoteCardView(view, settings.messages, locale || settings.language);
    const bind = card && shown ? card.bindSelection(shown, props) : disableWhileLoading;
    const root: QuotePreviewRootProps = {
      role: 'group',
      'aria-label': settings.messages?.preview ?? 'Price',
      ...native,
      ref,
      className: `ramp-quote ${className}`,
      'data-state': status,
      'data-previous': view.isPrevious || undefined,
      'aria-busy': status === 'loading' || status === 'refreshing',
      children: (
        <>
          {card && shown ? <card.QuoteCard view={shown} id={id} /> : <QuoteSkeleton />}
          {error && (
            <p className="ramp-quote-note" role="alert">
              {settings.messages?.reload ?? error.message}
            </p>
          )}
          <RampContext.Provider value={{ ...settings, bind }}>
            {typeof children === 'function' ? children(view) : children}
          </RampContext.Provider>
        </>
      ),
    };
    return render ? render(root, view) : <div {...root} />;
  },
);
