import type { HTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import { history as historyLabel, historyLoading } from '../../messages/EntryMessages.js';
import type { ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';
import { createComponent } from '../card/createComponent.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { callPage, PageNodes } from '../card/PageNodes.js';
import { type CardSettings, useCardSettings } from '../card/useCardSettings.js';
import {
  type CheckoutHistoryOptions,
  type CheckoutHistoryState,
  useCheckoutHistory,
} from './useCheckoutHistory.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the list. */
export type CheckoutHistoryRootProps = RootProps & {
  /** The ref that was passed to the component. */
  readonly ref: Ref<HTMLDivElement>;
  /** `empty` if the user has no checkouts, otherwise the status of {@link CheckoutHistoryState}. */
  readonly 'data-state': CheckoutHistoryState['status'] | 'empty';
};

/** Props of {@link CheckoutHistory}. Native attributes are passed to the root element. */
export interface CheckoutHistoryProps extends CheckoutHistoryOptions, CardSettings, RootProps {
  /** The locale of amounts and times. @default `language`, or else the language of the document, or of the browser */
  readonly locale?: string | undefined;
  /**
   * Renders one checkout, for example with a picture and a title that only the shop knows. `entry` is the list's own
   * content for the checkout: the state, the amounts, "Continue checkout", the steps and the receipt. Render it
   * anywhere in your element.
   *
   * @default the entry alone
   */
  readonly renderCheckout?:
    | ((checkout: ListedCheckout, entry: ReactElement) => ReactNode)
    | undefined;
  /** Shown below the text "No orders yet", such as a link to the shop. */
  readonly empty?: ReactNode | undefined;
  /** Renders your own element around the list. Spread the props onto it, including `ref`. */
  readonly render?:
    | ((props: CheckoutHistoryRootProps, state: CheckoutHistoryState) => ReactElement)
    | undefined;
}

/** Loads the code of the list's content, in parallel with the request to the backend. */
const useHistoryContent = /* @__PURE__ */ createLazyPart(() => import('./historyContent.js'));

/**
 * The checkouts of the signed-in user, newest first: each with its state, "Continue checkout" while it waits for its
 * payment, and its steps and receipt. It finds every checkout that the user has opened or paid, on any page, tab or
 * device. The list is refreshed while the page is visible; a button loads older checkouts.
 *
 * The list requests `GET {api}/checkouts`. `api` comes from its own prop or from {@link RampProvider}. With
 * `widgetUrl`, waiting checkouts can be continued. The list never throws: it shows errors and passes them to `render`,
 * with the codes of {@link useCheckoutHistory}. `children` are shown at its end. If the signed-in user can change
 * without a reload, give the list the user's id as `key`.
 *
 * The attribute `data-state` reports the state: `loading`, `success`, `empty`, or `error`.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <CheckoutHistory pageSize={10} empty={<a href="/">To the shop</a>} />
 * </RampProvider>
 */
export const CheckoutHistory = /* @__PURE__ */ createComponent<
  HTMLDivElement,
  CheckoutHistoryProps
>('CheckoutHistory', function CheckoutHistory(props, ref) {
  const { settings, own } = useCardSettings(props);
  const {
    pageSize,
    locale,
    renderCheckout,
    empty,
    render,
    className = '',
    children,
    ...native
  } = own;
  const { api, credentials, headers, fetch } = settings;
  const history = useCheckoutHistory({ api, credentials, headers, fetch, pageSize });
  const { part: content, error: loadError, load } = useHistoryContent();
  const state: CheckoutHistoryState = loadError
    ? { ...history, status: 'error', error: loadError, retry: load }
    : history;
  const { status, data, error } = state;
  const isLoading = !loadError && (status === 'loading' || !content);
  const root: CheckoutHistoryRootProps = {
    role: 'group',
    'aria-label': settings.messages?.history ?? historyLabel,
    ...native,
    ref,
    className: `ramp-history ${className}`,
    'data-state': isLoading
      ? 'loading'
      : status === 'success' && data?.length === 0
        ? 'empty'
        : status,
    'aria-busy': isLoading,
    children: (
      <>
        {content ? (
          <content.HistoryContent
            history={state}
            settings={settings}
            locale={locale}
            renderCheckout={renderCheckout}
            empty={empty}
          />
        ) : (
          <p role="status" className={loadError ? undefined : 'ramp-visually-hidden'}>
            {loadError
              ? (settings.messages?.reload ?? error?.message)
              : (settings.messages?.historyLoading ?? historyLoading)}
          </p>
        )}
        {isLoading && <HistorySkeleton />}
        <PageNodes>{children}</PageNodes>
      </>
    ),
  };
  return render ? callPage(() => render(root, state)) : <div {...root} />;
});

const HistorySkeleton = () => (
  <div className="ramp-history-skeleton" aria-hidden="true">
    <div />
    <div />
    <div />
  </div>
);
