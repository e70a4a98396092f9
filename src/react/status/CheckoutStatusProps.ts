import type { HTMLAttributes, ReactElement, Ref } from 'react';
import type { CheckoutProgress } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../backend/BackendSettings.js';
import type { RampSettings } from '../provider/RampSettings.js';
import type { CheckoutStatusState } from './watch/CheckoutStatusState.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** What a `render` function spreads onto its own element; the content of the card is in `children`. */
export type CheckoutStatusRootProps = RootProps & {
  readonly ref: Ref<HTMLDivElement>;
  /** `idle` without a reference, `loading` and `error` while nothing is known, else how far it is. */
  readonly 'data-state': 'idle' | 'loading' | 'error' | CheckoutProgress;
  /** The backend does not answer at present: this is what it said last. */
  readonly 'data-offline': true | undefined;
};

export interface CheckoutStatusProps
  extends BackendSettings,
    Pick<RampSettings, 'messages' | 'language'>,
    RootProps {
  /**
   * The checkout of an order page. Leave it out to follow the checkouts that this page opens; `undefined`
   * shows nothing.
   */
  readonly reference?: string | undefined;
  /** How figures and times are written. @default `language`, the document's language, the browser's */
  readonly locale?: string | undefined;
  /** Draws the card's root in your own way: spread what it is given, `ref` included. */
  readonly render?:
    | ((props: CheckoutStatusRootProps, state: CheckoutStatusState) => ReactElement)
    | undefined;
}
