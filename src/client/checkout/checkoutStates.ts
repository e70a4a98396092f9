import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutNotice } from './CheckoutNotice.js';
import type { Opening, ShownWidget } from './Opening.js';

interface StateFields {
  /** The notice about a checkout that is open in another window, or that may have been paid. */
  readonly notice: CheckoutNotice;
  /** Why the checkout could not be opened, such as a blocked window. */
  readonly error: RampError;
  /**
   * Opens the checkout again, with the same display. Call it inside a click. Absent if code could not be loaded,
   * because then only a reload of the page helps.
   */
  readonly retry: () => void;
  /** The URL for a visible link. Use it for only one opening of the widget. */
  readonly url: string;
  /** Call it when the shopper has used the link. */
  readonly onLinkClick: () => void;
  /** Opens the URL in place of the page. Set once the shopper has used the link and no window has opened. */
  readonly openInPlace: () => void;
}

type StateOf<
  Status extends string,
  Required extends keyof StateFields = never,
  Optional extends keyof StateFields = never,
> = {
  readonly status: Status;
  /** The backend's reference of the last opened checkout. */
  readonly reference?: string | undefined;
} & Pick<StateFields, Required> & {
    readonly [Field in Optional]?: StateFields[Field] | undefined;
  } & { readonly [Field in Exclude<keyof StateFields, Required | Optional>]?: undefined };

/**
 * The state of a button's last checkout. `idle` while no checkout is open, `signing` while a signature is requested,
 * `open` while the widget is shown, `blocked` if the browser blocked the window, `error` if the checkout could not be
 * opened. The status does not say whether the checkout is paid.
 */
export type CheckoutState =
  | StateOf<'idle', never, 'notice'>
  | StateOf<'signing'>
  | StateOf<'open', never, 'notice'>
  | StateOf<'blocked', 'url' | 'error' | 'onLinkClick', 'openInPlace'>
  | StateOf<'error', 'error', 'retry'>;

export type CheckoutStatus = CheckoutState['status'];

type In<Status extends CheckoutStatus> = Extract<CheckoutState, { status: Status }>;

/** A state together with its opening and the widget that is shown. */
export type CheckoutPhase =
  | {
      readonly state: In<'idle' | 'error'>;
      readonly opening?: undefined;
      readonly widget?: undefined;
    }
  | { readonly state: In<'signing'>; readonly opening: Opening; readonly widget?: undefined }
  | {
      readonly state: In<'open' | 'blocked'>;
      readonly opening: Opening;
      readonly widget: ShownWidget;
    };

interface Told {
  /** The opening that the change is about. A change to an opening that is over has no effect. */
  readonly opening: Opening;
  readonly reference?: string | undefined;
}

/** A change to a button's checkout, by what happened. */
export type CheckoutChange =
  /** The shopper clicked: a signature is requested. */
  | (Told & { readonly type: 'clicked' })
  /** The signature has arrived. If a card continues the checkout, `completed` adds the earlier selection. */
  | (Told & { readonly type: 'signed'; readonly completed: Opening })
  /** The widget is shown. */
  | (Told & {
      readonly type: 'shown';
      readonly widget: ShownWidget;
      readonly notice?: CheckoutNotice | undefined;
    })
  /** The browser blocked the window, and a link replaces it. */
  | (Told & { readonly type: 'blocked'; readonly widget: ShownWidget } & Pick<
        StateFields,
        'url' | 'error' | 'onLinkClick'
      >)
  /** The shopper used that link, but no window opened. */
  | (Told & { readonly type: 'ignored' } & Pick<StateFields, 'openInPlace'>)
  /** The notice about the open widget has changed. */
  | (Told & { readonly type: 'noticed'; readonly notice: CheckoutNotice | undefined })
  /** The widget could not be opened. */
  | (Told & { readonly type: 'failed'; readonly error: RampError; readonly retry?: () => void })
  /** The checkout is over, or the shopper is asked a question before another one opens. */
  | (Told & { readonly type: 'ended'; readonly notice?: CheckoutNotice | undefined })
  /** The button was unmounted, or the page has closed the checkout. */
  | { readonly type: 'left' };

/**
 * For each status, the next status after each change. A change that is not listed has no effect. CONTRIBUTING.md shows
 * this table.
 */
export const checkoutTable: Readonly<
  Record<CheckoutStatus, { readonly [Type in CheckoutChange['type']]?: CheckoutStatus }>
> = {
  idle: { clicked: 'signing', left: 'idle' },
  signing: {
    signed: 'signing',
    shown: 'open',
    blocked: 'blocked',
    failed: 'error',
    ended: 'idle',
    left: 'idle',
  },
  open: { noticed: 'open', ended: 'idle', left: 'idle' },
  blocked: { ignored: 'blocked', ended: 'idle', left: 'idle' },
  error: { clicked: 'signing', left: 'idle' },
};

/** Returns a state without its notice, unless the notice asks a question that a click has to answer. */
export const hideNotice = (state: CheckoutState): CheckoutState =>
  state.notice && !state.notice.startNew ? { ...state, notice: undefined } : state;

/** The phase before the first click. */
export const initialPhase: CheckoutPhase = { state: { status: 'idle' } };

/** Returns the phase after a change, or the same phase if the change does not apply. */
export function changePhase(phase: CheckoutPhase, change: CheckoutChange): CheckoutPhase {
  if (!checkoutTable[phase.state.status][change.type]) return phase;
  if (change.type === 'left') return initialPhase;
  const { opening, reference = phase.state.reference } = change;
  if (change.type === 'clicked') return { state: { status: 'signing', reference }, opening };
  // The change's opening was aborted, or another one has begun since.
  if (phase.opening !== opening) return phase;
  switch (change.type) {
    case 'signed':
      return { state: { status: 'signing', reference }, opening: change.completed };
    case 'shown': {
      const { widget, notice } = change;
      return { state: { status: 'open', reference, notice }, opening, widget };
    }
    case 'blocked': {
      const { widget, url, error, onLinkClick } = change;
      return { state: { status: 'blocked', reference, url, error, onLinkClick }, opening, widget };
    }
    case 'ignored':
      return phase.widget && phase.state.status === 'blocked'
        ? {
            state: { ...phase.state, openInPlace: change.openInPlace },
            opening,
            widget: phase.widget,
          }
        : phase;
    case 'noticed':
      return phase.widget
        ? {
            state: { status: 'open', reference, notice: change.notice },
            opening,
            widget: phase.widget,
          }
        : phase;
    case 'failed':
      return { state: { status: 'error', reference, error: change.error, retry: change.retry } };
    case 'ended':
      return { state: { status: 'idle', reference, notice: change.notice } };
  }
}
