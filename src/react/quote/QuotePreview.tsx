import { useEffect, useId, useState } from 'react';
import { logFailure } from '../../client/dev/logFailure.js';
import type { QuotePreviewState, QuotePreviewStatus } from '../../client/quote/QuoteForm.js';
import { createComponent } from '../card/createComponent.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { callPage, PageNodes } from '../card/PageNodes.js';
import { RampContext, useRampSettings } from '../provider/RampProvider.js';
import type { QuoteCardReport } from './card/QuoteCard.js';
import { loadQuoteCard } from './loadQuoteCard.js';
import {
  getNativeProps,
  type QuotePreviewProps,
  type QuotePreviewRootProps,
} from './previewProps.js';

/** Loads the code of the card's content. */
const useQuoteCard = /* @__PURE__ */ createLazyPart(loadQuoteCard);

/** Disables the button in the card until the card's code has loaded. */
const disableWhileLoading = <P extends object>(props: P): P => ({
  'aria-disabled': true,
  ...props,
});

/**
 * A card that shows the price of a purchase before the checkout is opened: an amount, two currencies, the
 * payment methods with their limits, and a quote that is refreshed automatically.
 *
 * The card sends requests to the partner's backend at `api`, which comes from its own prop or from
 * {@link RampProvider}. Amounts are plain decimal strings. They are in fiat, with at most two decimals. With
 * `buyType="nft"` they are in cryptocurrency, with at most eighteen decimals. The limits are in fiat, so they do not
 * apply to the price of an NFT.
 *
 * An `OnRampButton` inside the card opens the widget with the selection. The button's own props override the selection.
 * Nothing enforces the selection: a shopper can change the amount and the currencies in the widget. The payment method
 * only selects the price, because the shopper chooses the method in the widget.
 *
 * Prices change until the payment, so the card marks the bought amount with "≈". It shows two decimals of a stablecoin
 * and six significant digits of other coins, rounded down. The price breakdown shows all digits.
 *
 * The attribute `data-state` reports the {@link QuotePreviewStatus}. The card never throws: it shows errors, with a
 * retry button unless only a reload of the page can help, and passes them to `children` and `render`.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <QuotePreview defaultValue={{ amount: '100', fiatCurrency: 'EUR' }}>
 *     <OnRampButton />
 *   </QuotePreview>
 * </RampProvider>
 */
export const QuotePreview = /* @__PURE__ */ createComponent<HTMLDivElement, QuotePreviewProps>(
  'QuotePreview',
  function QuotePreview(props, ref) {
    const { api, credentials, headers, fetch, messages, language } = props;
    const { presetAmounts, render, className = '', children } = props;
    const settings = useRampSettings({ api, credentials, headers, fetch, messages, language });
    const id = useId();
    const { part, error, load } = useQuoteCard();
    useLoggedError(error);
    // The content holds the card's state, and reports it before the browser paints. It does not contain `children`,
    // because they would be mounted a second time when its code has loaded.
    const [report, setReport] = useState<QuoteCardReport>();
    const state: QuotePreviewState = report?.form ?? {
      status: error ? 'error' : 'loading',
      selection: undefined,
      data: undefined,
      isPrevious: false,
      error,
      limit: undefined,
      retry: load,
    };
    const { status } = state;
    const root: QuotePreviewRootProps = {
      role: 'group',
      'aria-label': settings.messages?.preview ?? 'Price',
      ...getNativeProps(props),
      ref,
      className: `ramp-quote ${className}`,
      'data-state': status,
      'data-previous': state.isPrevious || undefined,
      'aria-busy': status === 'loading' || status === 'refreshing',
      children: (
        <>
          {part ? (
            <part.QuoteCard
              {...props}
              reactQuery={part.reactQuery}
              cardId={id}
              onReport={setReport}
            />
          ) : (
            <QuoteSkeleton presets={presetAmounts} />
          )}
          {error && (
            <p className="ramp-quote-note" role="alert">
              {error.code === 'ERR_NETWORK'
                ? (settings.messages?.reload ?? error.message)
                : (settings.messages?.priceFailed ?? 'The price could not be loaded.')}
            </p>
          )}
          <RampContext.Provider value={{ ...settings, bind: report?.bind ?? disableWhileLoading }}>
            <PageNodes>
              {typeof children === 'function' ? callPage(() => children(state)) : children}
            </PageNodes>
          </RampContext.Provider>
        </>
      ),
    };
    return render ? callPage(() => render(root, state)) : <div {...root} />;
  },
);

/** Logs the error if the card's code failed to load. */
function useLoggedError(error: QuotePreviewState['error']): void {
  useEffect(() => {
    if (error) logFailure(error);
  }, [error]);
}

/** The card's skeleton, which is about as tall as the card. */
const QuoteSkeleton = ({ presets }: { presets: object | undefined }) => (
  <div className="ramp-quote-skeleton" aria-hidden="true">
    <div className="ramp-quote-row ramp-quote-placeholder" />
    {presets && <div className="ramp-quote-presets" />}
    <div className="ramp-quote-divider" />
    <div className="ramp-quote-row ramp-quote-placeholder" />
    <div className="ramp-quote-methods ramp-quote-placeholder" />
  </div>
);
