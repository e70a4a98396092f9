import { forwardRef, useId } from 'react';
import { messages as english } from '../../messages/en.js';
import { RampContext, useRampSettings } from '../RampProvider.js';
import { Announcer } from './Announcer.js';
import { buttonSelection } from './buttonSelection.js';
import { PaymentMethods } from './PaymentMethods.js';
import { QuoteRows } from './QuoteRows.js';
import { QuoteSum } from './QuoteSum.js';
import type { QuotePreviewProps, QuotePreviewRootProps } from './quote-preview-types.js';
import { statusText } from './statusText.js';
import { useQuotePreview } from './useQuotePreview.js';

/**
 * A card that says what a purchase costs before the checkout is opened: an amount, two currencies,
 * the payment methods with their limits, and a price that keeps itself up to date.
 *
 * It asks the partner's backend under `api`, of {@link RampProvider} or its own. Amounts go in and
 * out as plain decimal strings: fiat with at most two decimals, with `buyType="nft"` cryptocurrency
 * with at most eighteen. An `OnRampButton` inside opens the widget with what is chosen; its own
 * props win. The payment method is a preview alone, as the widget asks for it itself. Nothing is
 * enforced: a shopper can change amount and currencies in the widget.
 *
 * The state is in `data-state`, see {@link QuotePreviewStatus}. Errors stand in the card with a
 * button to try again, and are handed to `children` and `render`; nothing is thrown.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <QuotePreview defaultValue={{ amount: '100', fiatCurrency: 'EUR' }}>
 *     <OnRampButton />
 *   </QuotePreview>
 * </RampProvider>
 */
export const QuotePreview = forwardRef<HTMLDivElement, QuotePreviewProps>(
  function QuotePreview(props, ref) {
    const {
      api,
      credentials,
      headers,
      messages: ownMessages,
      language,
      buyType: _buyType,
      value: _value,
      defaultValue: _defaultValue,
      onValueChange: _onValueChange,
      onQuote: _onQuote,
      fiatCurrency: _fiatCurrency,
      cryptoCurrency: _cryptoCurrency,
      cryptoNetwork: _cryptoNetwork,
      locale: _locale,
      refreshSeconds: _refreshSeconds,
      render,
      className = '',
      children,
      ...native
    } = props;
    const own = { api, credentials, headers, messages: ownMessages, language };
    const settings = useRampSettings(own);
    const messages = { ...english, ...settings.messages };
    const view = useQuotePreview(props, settings, messages);
    const { status, retry } = view;
    const id = useId();
    const note = statusText(view);
    const selection = buttonSelection(view, props);
    const root: QuotePreviewRootProps = {
      role: 'group',
      'aria-label': messages.preview,
      ...native,
      ref,
      className: `ramp-quote ${className}`,
      'data-state': status,
      'aria-busy': status === 'loading' || status === 'refreshing',
      children: (
        <>
          {status !== 'empty' && <QuoteRows view={view} id={`${id}amount`} />}
          {note && (
            <p className="ramp-quote-note">
              {note}{' '}
              {view.error && (
                <button type="button" onClick={retry}>
                  {messages.retry}
                </button>
              )}
            </p>
          )}
          {status !== 'empty' && (
            <>
              <PaymentMethods view={view} name={`${id}method`} />
              <QuoteSum view={view} />
            </>
          )}
          <Announcer view={view} />
          <RampContext.Provider value={{ ...settings, selection }}>
            {typeof children === 'function' ? children(view) : children}
          </RampContext.Provider>
        </>
      ),
    };
    return render ? render(root, view) : <div {...root} />;
  },
);
