import { forwardRef, type HTMLAttributes, type ReactElement, type Ref } from 'react';
import type { CheckoutProgress } from '../../protocol/handler/CheckoutResponse.js';
import { type BackendSettings, fetchBackend } from '../backend/fetchBackend.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import { type CheckoutStatusState, useCheckoutStatus } from './useCheckoutStatus.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the card. */
export type CheckoutStatusRootProps = RootProps & {
  /** The ref of the card's root element. */
  readonly ref: Ref<HTMLDivElement>;
  /** `idle` without a reference, `loading` and `error` before the first response, else the checkout's progress. */
  readonly 'data-state': 'idle' | 'loading' | 'error' | CheckoutProgress;
  /** Set while the backend cannot be reached: the card shows the last known state. */
  readonly 'data-offline': true | undefined;
};

/** The props of {@link CheckoutStatus}. */
export interface CheckoutStatusProps
  extends BackendSettings,
    Pick<RampSettings, 'messages' | 'language'>,
    RootProps {
  /**
   * The reference of the checkout, for an order page. If the prop is absent, the card shows the checkouts that
   * this page opens; if it is `undefined`, the card is hidden.
   */
  readonly reference?: string | undefined;
  /** The locale of amounts and times. @default `language`, the document's language, the browser's */
  readonly locale?: string | undefined;
  /** Renders the card as your own element: spread the props, including `ref`. */
  readonly render?:
    | ((props: CheckoutStatusRootProps, state: CheckoutStatusState) => ReactElement)
    | undefined;
}

/** Loads the content of the card while the backend is requested. */
const useStatusContent = /* @__PURE__ */ createLazyPart(() => import('./card/statusContent.js'));

/** Loads the code of a card without a `reference`. */
const useStatusList = /* @__PURE__ */ createLazyPart(() => import('./StatusList.js'));

/**
 * A card with the state of a checkout, as the partner's backend knows it from the order list: its steps with
 * their times, the amounts paid and received, and the transaction. It updates until the checkout is terminal,
 * and reconnects automatically.
 *
 * Without a `reference` it shows the checkouts that the buttons of this tab opened under the same `api`, also
 * after a reload: the newest that is not terminal, and the others in a list below. It is hidden until one is
 * opened.
 *
 * It requests `GET {api}/checkouts/:reference` and its event stream, with the `api` of {@link RampProvider} or
 * its own prop. Errors are shown in the card and passed to `render`, with the codes of
 * {@link useCheckoutStatus}; the card never throws. The state is in `data-state`: `idle` (no reference, the
 * card is hidden), `loading`, `error`, or the checkout's {@link CheckoutProgress}. `children` are shown at its
 * end.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <OnRampButton />
 *   <CheckoutStatus />
 * </RampProvider>
 */
export const CheckoutStatus = /* @__PURE__ */ forwardRef<HTMLDivElement, CheckoutStatusProps>(
  function CheckoutStatus(props, ref) {
    const { part: list } = useStatusList('reference' in props);
    const settings = useRampSettings(props);
    return list && !('reference' in props) ? (
      <list.StatusList
        {...props}
        settings={{ ...settings, request: fetchBackend }}
        card={StatusCard}
        cardRef={ref}
      />
    ) : (
      <StatusCard {...props} ref={ref} />
    );
  },
);

/** The card of one checkout. It is hidden without a reference. */
const StatusCard = /* @__PURE__ */ forwardRef<HTMLDivElement, CheckoutStatusProps>(
  function StatusCard(props, ref) {
    const {
      reference,
      api,
      credentials,
      headers,
      messages,
      language,
      locale,
      render,
      className = '',
      children,
      ...native
    } = props;
    const settings = useRampSettings({ api, credentials, headers, messages, language });
    const watched = useCheckoutStatus(reference, settings);
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
      'aria-label': settings.messages?.order ?? 'Your order',
      hidden: isIdle,
      ...native,
      ref,
      className: `ramp-status ${className}`,
      'data-state': isIdle ? 'idle' : isLoading ? 'loading' : (view?.checkout?.progress ?? 'error'),
      'data-offline': (view?.checkout && view.trouble && true) || undefined,
      'aria-busy': isLoading,
      children: (
        <>
          {/* Rendered from the start: screen readers announce only changes of an existing live region. */}
          <div role="status" className="ramp-status-head">
            {card && view ? (
              <card.StatusHead view={view} />
            ) : isLoading ? (
              <span className="ramp-visually-hidden">
                {settings.messages?.orderLoading ?? 'Loading your order…'}
              </span>
            ) : (
              error && (
                <p className="ramp-status-title">{settings.messages?.reload ?? error.message}</p>
              )
            )}
          </div>
          {card && view ? <card.StatusBody view={view} /> : isLoading && <StatusSkeleton />}
          {children}
        </>
      ),
    };
    return render ? render(root, state) : <div {...root} />;
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
