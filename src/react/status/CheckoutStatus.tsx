import type { HTMLAttributes, ReactElement, Ref } from 'react';
import type { CheckoutStatusState } from '../../client/status/CheckoutStatusState.js';
import { order, orderLoading } from '../../messages/EntryMessages.js';
import type { CheckoutProgress } from '../../protocol/handler/CheckoutResponse.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { createComponent } from '../card/createComponent.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { callPage, PageNodes } from '../card/PageNodes.js';
import { type CardSettings, useCardSettings } from '../card/useCardSettings.js';
import { useCheckoutStatus } from './useCheckoutStatus.js';
import { useTabCheckouts } from './useTabCheckouts.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the card. */
export type CheckoutStatusRootProps = RootProps & {
  /** The ref that was passed to the component. */
  readonly ref: Ref<HTMLDivElement>;
  /** `idle` without a reference, `loading` and `error` before the first response, else the checkout's progress. */
  readonly 'data-state': 'idle' | 'loading' | 'error' | CheckoutProgress;
  /** Set while requests to the backend fail and the card shows the last known state. */
  readonly 'data-offline': true | undefined;
};

/** Props of {@link CheckoutStatus}. Native attributes are passed to the card's root element. */
export interface CheckoutStatusProps extends CardSettings, RootProps {
  /** The reference of the checkout to show, for an order page. @default the checkouts that this tab opens */
  readonly reference?: string | undefined;
  /**
   * Shows only the checkouts of this widget, if there is no `reference`. So a page that sells crypto and NFTs can have
   * a card for each.
   *
   * @default the checkouts of both widgets
   */
  readonly widget?: Widget | undefined;
  /** The locale of amounts and times. @default `language`, or else the language of the document, or of the browser */
  readonly locale?: string | undefined;
  /** Renders your own element as the card. Spread the props onto it, including `ref`. */
  readonly render?:
    | ((props: CheckoutStatusRootProps, state: CheckoutStatusState) => ReactElement)
    | undefined;
}

/** Loads the code of the card's content, in parallel with the request to the backend. */
const useStatusContent = /* @__PURE__ */ createLazyPart(() => import('./card/statusContent.js'));

/**
 * A card with the state of a checkout, as the partner's backend knows it from the order list: its steps with their
 * times, the amounts paid and received, and the transaction. It updates until the checkout is terminal, and recovers
 * from a lost connection on its own.
 *
 * Without a `reference`, the card shows the checkouts that the buttons of this tab opened with the same `api`, even
 * after a reload. It shows the newest one that is not terminal, and lists the others below. Until a checkout is opened,
 * the card is hidden.
 *
 * While the checkout waits for its payment and its widget is closed, "Continue checkout" opens the widget again, with a
 * new signature: `POST {api}/checkouts/:reference/continue`. The backend gives no signature once the checkout has an
 * order.
 *
 * While the checkout may change, the card polls `GET {api}/checkouts?references=…`, as {@link useCheckoutStatus} does.
 * `api` comes from its own prop or from {@link RampProvider}. The card never throws: it shows errors and passes them to
 * `render`, with the codes of {@link useCheckoutStatus}. `children` are shown at the end of the card.
 *
 * The attribute `data-state` reports the state: `idle` (no reference, so the card is hidden), `loading`, `error`, or
 * the checkout's {@link CheckoutProgress}.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <OnRampButton />
 *   <CheckoutStatus />
 * </RampProvider>
 */
export const CheckoutStatus = /* @__PURE__ */ createComponent<HTMLDivElement, CheckoutStatusProps>(
  'CheckoutStatus',
  function CheckoutStatus(props, ref) {
    const { settings, own } = useCardSettings(props);
    const { reference, widget, locale, render, className = '', children, ...native } = own;
    const tab = useTabCheckouts(!reference, widget, settings);
    const watched = useCheckoutStatus(reference || tab.shown, settings);
    const { part: card, error, load } = useStatusContent();
    const state: CheckoutStatusState = error
      ? { ...watched, status: 'error', error, retry: load }
      : watched;
    const { status } = state;
    const isIdle = status === 'idle';
    const isLoading = !isIdle && !error && (status === 'loading' || !card);
    const view =
      card && !isIdle && !isLoading
        ? card.createStatusView(state, settings.messages, locale || settings.language)
        : undefined;
    const root: CheckoutStatusRootProps = {
      role: 'group',
      'aria-label': settings.messages?.order ?? order,
      hidden: isIdle,
      ...native,
      ref,
      className: `ramp-status ${className}`,
      'data-state': isIdle ? 'idle' : isLoading ? 'loading' : (view?.checkout?.progress ?? 'error'),
      'data-offline': (view?.checkout && view.trouble && true) || undefined,
      'aria-busy': isLoading,
      children: (
        <>
          {/* Always rendered, because screen readers announce only changes to a live region that already exists. */}
          <div role="status" className="ramp-status-head">
            {card && view ? (
              <card.StatusHead view={view} settings={settings} />
            ) : isLoading ? (
              <span className="ramp-visually-hidden">
                {settings.messages?.orderLoading ?? orderLoading}
              </span>
            ) : (
              error && (
                <p className="ramp-status-title">{settings.messages?.reload ?? error.message}</p>
              )
            )}
          </div>
          {card && view ? (
            <card.StatusBody view={view} settings={settings} />
          ) : (
            isLoading && <StatusSkeleton />
          )}
          {card && tab.others.length > 0 && (
            <card.OtherCheckouts
              checkouts={tab.others}
              settings={settings}
              locale={locale}
              onChoose={tab.choose}
            />
          )}
          <PageNodes>{children}</PageNodes>
        </>
      ),
    };
    return render ? callPage(() => render(root, state)) : <div {...root} />;
  },
);

/** The skeleton of a title, a hint and three steps. */
const StatusSkeleton = () => (
  <div className="ramp-status-skeleton" aria-hidden="true">
    <div />
    <div />
    <div />
    <div />
    <div />
  </div>
);
