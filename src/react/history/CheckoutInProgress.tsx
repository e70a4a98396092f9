import type { HTMLAttributes, ReactElement, Ref } from 'react';
import { createComponent } from '../card/createComponent.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { callPage } from '../card/PageNodes.js';
import { type CardSettings, useCardSettings } from '../card/useCardSettings.js';
import { type CheckoutHistoryState, useCheckoutHistory } from './useCheckoutHistory.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the note. */
export type CheckoutInProgressRootProps = RootProps & {
  /** The ref that was passed to the component. */
  readonly ref: Ref<HTMLDivElement>;
};

/** Props of {@link CheckoutInProgress}. Native attributes are passed to the root element. */
export interface CheckoutInProgressProps extends CardSettings, RootProps {
  /** The locale of the time. @default `language`, or else the language of the document, or of the browser */
  readonly locale?: string | undefined;
  /** Renders your own element as the note. Spread the props onto it, including `ref`. */
  readonly render?:
    | ((props: CheckoutInProgressRootProps, state: CheckoutHistoryState) => ReactElement)
    | undefined;
}

const useNoteContent = /* @__PURE__ */ createLazyPart(() => import('./inProgressContent.js'));

/**
 * A note for any page, which reminds the user of a checkout that waits for its payment, with "Continue checkout" and
 * "Dismiss". A dismissed note does not come back for this checkout in this tab. The note shows the newest waiting
 * checkout among the user's 20 newest, whichever page, tab or device it was opened on. It is hidden if there is none,
 * while the page has a widget open, or while a {@link CheckoutStatus} of the page shows that checkout.
 *
 * The note requests `GET {api}/checkouts`, and shares its requests with a history on the page. `api` and `widgetUrl`
 * come from its own props or from {@link RampProvider}. It never throws, and shows no errors. If the signed-in user can
 * change without a reload, give it the user's id as `key`.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <CheckoutInProgress />
 * </RampProvider>
 */
export const CheckoutInProgress = /* @__PURE__ */ createComponent<
  HTMLDivElement,
  CheckoutInProgressProps
>('CheckoutInProgress', function CheckoutInProgress(props, ref) {
  const { settings, own } = useCardSettings(props);
  const { locale, render, className = '', children, ...native } = own;
  const { api, credentials, headers, fetch } = settings;
  const newest = useCheckoutHistory({ api, credentials, headers, fetch });
  const data = newest.data?.filter(({ progress }) => progress === 'waiting');
  const history = { ...newest, data };
  // Most shoppers have no waiting checkout, so load the content only once the list has one.
  const { part: content } = useNoteContent(!history.data?.length);
  const root: CheckoutInProgressRootProps = {
    ...native,
    ref,
    className: `ramp-in-progress ${className}`,
    children: (
      <>
        {content ? (
          <content.InProgressContent history={history} settings={settings} locale={locale}>
            {children}
          </content.InProgressContent>
        ) : (
          <div role="status" />
        )}
      </>
    ),
  };
  return render ? callPage(() => render(root, history)) : <div {...root} />;
});
