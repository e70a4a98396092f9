import type { HTMLAttributes, ReactElement, Ref } from 'react';
import type { CheckoutProgress } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { RampSettings } from '../provider/RampProvider.js';
import type { CheckoutStatusState } from './watch/CheckoutStatusState.js';

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
