import type { BackendConnection } from '../../../client/backend/fetchBackend.js';
import type { ServiceSettings } from '../../../client/checkout/CheckoutSettings.js';
import type { CheckoutDisplay } from '../../../client/checkout/events.js';
import type { CheckoutSession, Opening } from '../../../client/checkout/session.js';
import type { FrameOptions } from '../../../client/checkout/views/panel.js';
import type { CheckoutState } from '../../checkout/CheckoutNote.js';
import type { CheckoutOptions } from '../../checkout/useCheckout.js';
import type { RampSettings } from '../../provider/RampProvider.js';

/** Where a waiting checkout continues. There is no inline display, because a card or list has no place for it. */
export type ContinueDisplay = Exclude<CheckoutDisplay, 'inline'>;

export interface ContinueSettings
  extends RampSettings,
    ServiceSettings,
    FrameOptions,
    BackendConnection {
  readonly display?: ContinueDisplay | undefined;
}

/** Opens the widget of one waiting checkout again. */
export interface Continuation {
  /** Replaces the settings with those of the latest render. The next click uses them. */
  setOptions(options: ContinueSettings): void;
  /** Loads the code that a click needs. Failures are silent. */
  prefetch(): void;
  /** Opens the widget, or focuses it if it is open. Call it during the click, so that the browser allows a window. */
  open(trigger?: HTMLElement): void;
  /** Aborts a pending opening, and removes the widget. A window stays open, because the shopper may be paying in it. */
  dispose(): void;
}

// The code of the widget is loaded at the first click, hover or focus. Do not import session.ts here: a button imports
// it too, so esbuild would move it to a shared file, and every page would load one more file at start.
let lazyModule: Promise<typeof import('../../checkout/resumeCheckout.js')> | undefined;
const loadLazyModule = () =>
  (lazyModule ||= import('../../checkout/resumeCheckout.js').catch((cause) => {
    lazyModule = undefined;
    throw cause;
  }));

/**
 * Creates the session of a checkout that was opened before. Unlike the session of a button, it requests a new signature
 * for the same checkout at each click, and never before a click.
 *
 * @param setState - Receives each state; `error` without a `Note` means that the code failed to load.
 */
export function createContinuation(
  { reference, widget }: { readonly reference: string; readonly widget: CheckoutOptions['widget'] },
  options: ContinueSettings,
  setState: (state: CheckoutState) => void,
): Continuation {
  let status: CheckoutState['status'] = 'idle';
  let request: AbortController | undefined;
  let lastTrigger: HTMLElement | undefined;
  const toCheckoutOptions = (settings: ContinueSettings): CheckoutOptions => ({
    ...settings,
    widget,
    // Do not use the signer of the page: the request to continue returns the signature.
    signer: undefined,
  });
  const session: CheckoutSession = {
    options: toCheckoutOptions(options),
    request: options.request,
    signatures: { request: () => undefined, discard() {} },
    setState(state) {
      status = state.status;
      setState(state as CheckoutState);
    },
    controls: {
      inlineRef() {},
      prefetch: () => void loadLazyModule().catch(() => {}),
      open(wanted, trigger = lastTrigger) {
        const { view } = session;
        if (status === 'signing' || view?.isOpen()) return void view?.focus();
        view?.end();
        const display = wanted || session.options.display || 'modal';
        let blank: Opening['blank'];
        try {
          if (display === 'window') blank = window.open('', '_blank', 'popup,width=480,height=760');
          if (blank?.closed) blank = null;
        } catch {
          // In some in-app browsers, window.open is missing or throws. The shopper gets a link instead.
        }
        const opening: Opening = {
          display,
          trigger,
          options: session.options,
          blank,
        };
        session.opening = opening;
        session.setState({ status: 'signing', reference });
        lastTrigger = trigger;
        trigger?.focus({ preventScroll: true });
        request?.abort();
        request = new AbortController();
        const { signal } = request;
        return loadLazyModule().then(
          ({ resumeCheckout }) => resumeCheckout(session, opening, reference, signal),
          () => {
            if (session.opening !== opening) return;
            session.opening = undefined;
            blank?.close();
            session.setState({ status: 'error', reference });
          },
        );
      },
      close: () => session.dispose(),
    },
    dispose() {
      const { opening, view } = session;
      request?.abort();
      session.opening = session.view = undefined;
      if (view) view.detach();
      else opening?.blank?.close();
      session.watches?.abort();
      if (status !== 'idle') session.setState({ status: 'idle' });
    },
  };
  return {
    setOptions(next) {
      session.options = toCheckoutOptions(next);
    },
    prefetch: () => session.controls.prefetch(),
    open: (trigger) => void session.controls.open(undefined, trigger),
    dispose: () => session.dispose(),
  };
}
