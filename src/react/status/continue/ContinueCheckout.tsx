import {
  type ButtonHTMLAttributes,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type {
  CheckoutOptions,
  ServiceSettings,
} from '../../../client/checkout/CheckoutSettings.js';
import { checkoutCode } from '../../../client/checkout/checkoutCode.js';
import { hideNotice } from '../../../client/checkout/checkoutStates.js';
import { createCheckout } from '../../../client/checkout/createCheckout.js';
import type { CheckoutDisplay } from '../../../client/checkout/events.js';
import type { FrameOptions } from '../../../client/checkout/view.js';
import { completeMessages } from '../../../client/completeMessages.js';
import { focusCard } from '../../../client/focusCard.js';
import { getOpenWidget, hasOpenWidget } from '../../../client/pageCheckouts.js';
import { statusEnglish } from '../../../messages/StatusMessages.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { CheckoutNoteContent } from '../../checkout/CheckoutNote.js';
import type { RampSettings } from '../../provider/RampProvider.js';
import { usePageCheckouts } from '../../usePageCheckouts.js';

/** Where a waiting checkout continues. There is no inline display, because a card or list has no place for it. */
export type ContinueDisplay = Exclude<CheckoutDisplay, 'inline'>;

export interface ContinueSettings extends RampSettings, ServiceSettings, FrameOptions {
  readonly display?: ContinueDisplay | undefined;
  readonly extraParams?: CheckoutOptions['extraParams'];
}

/** Returns whether the page has the widget of a checkout open, in the page or in a window. */
export const useIsWidgetOpen = (reference: string | undefined): boolean =>
  usePageCheckouts(() => getOpenWidget(reference) !== undefined, false);

/** Returns whether the page has any widget open, in the page or in a window. */
export const useHasOpenWidget = (): boolean => usePageCheckouts(hasOpenWidget, false);

/** Returns whether a checkout waits for its payment and the page has the settings to continue it. */
export const canContinue = (
  checkout: Pick<CheckoutResponse, 'progress'> | undefined,
  settings: ContinueSettings | undefined,
): boolean =>
  checkout?.progress === 'waiting' && Boolean(settings?.widgetUrl) && settings?.api !== undefined;

interface ContinueCheckoutProps {
  readonly checkout: CheckoutResponse;
  readonly settings: ContinueSettings;
  /** The ids of the elements that name the checkout, if the page shows several. */
  readonly describedBy?: string | undefined;
  /** Called when the checkout is paid or has ended, so that its state is requested again. */
  readonly onOutcome?: (() => void) | undefined;
}

/**
 * The button "Continue checkout" of a waiting checkout, and the note below it. The component must stay mounted while
 * the widget is open, even if the checkout no longer waits: unmounting it closes the widget.
 */
export function ContinueCheckout(props: ContinueCheckoutProps) {
  const { checkout, settings, describedBy, onOutcome } = props;
  const { reference } = checkout;
  // The request to continue returns the signature, so the page's signer is not used.
  const options: CheckoutOptions = { ...settings, widget: checkout.widget, signer: undefined };
  const [continued] = useState(() => createCheckout(options, checkoutCode, reference));
  const known = useSyncExternalStore(
    continued.subscribe,
    continued.getSnapshot,
    continued.getSnapshot,
  );
  const state = settings.notice === false ? hideNotice(known) : known;
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    continued.options = options;
  });
  useEffect(() => () => continued.dispose(), [continued]);
  const { status, notice } = state;
  const [hasOrder, setHasOrder] = useState(false);
  const hasOutcome = hasOrder || notice?.reason === 'paid' || notice?.reason === 'ended';
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onOutcome` may be a new function at each render
  useEffect(() => {
    if (hasOutcome) onOutcome?.();
  }, [hasOutcome]);
  const isOffered = canContinue(checkout, settings);
  const isBusy = status === 'open' || status === 'signing';
  const wasBusy = useRef(false);
  useEffect(() => {
    // When the widget closes, the focus returns to the button. If the checkout was paid or has ended, the button is
    // gone, so focus the card.
    if (wasBusy.current && !isBusy && document.activeElement === document.body && root.current)
      focusCard(root.current);
    wasBusy.current = isBusy;
  }, [isBusy]);
  const messages = completeMessages(statusEnglish, settings.messages);
  const isInWindow = usePageCheckouts(() => getOpenWidget(reference)?.isWindow === true, false);
  // The card's button already shows the window, so remove the notice's button.
  const noted = useMemo(
    () =>
      isInWindow && state.notice
        ? { ...state, notice: { ...state.notice, showWindow: undefined } }
        : state,
    [isInWindow, state],
  );
  const open = (trigger?: HTMLElement) => {
    const widget = getOpenWidget(reference);
    if (widget) widget.focus();
    else continued.open({ trigger });
  };
  return (
    <div ref={root} className="ramp-continue">
      {isOffered && !hasOutcome && (
        <FocusedButton
          type="button"
          className={isInWindow ? 'ramp-status-retry' : 'ramp-button'}
          data-state={status}
          aria-busy={status === 'signing'}
          aria-describedby={describedBy}
          onPointerEnter={() => continued.prefetch()}
          onFocus={() => continued.prefetch()}
          onClick={({ currentTarget }) => open(currentTarget)}
        >
          {isInWindow
            ? (messages.showWindow ?? 'Show the checkout window')
            : messages.continueCheckout}
        </FocusedButton>
      )}
      {(isOffered || notice) && (
        <CheckoutNoteContent
          checkout={{ ...noted, messages: settings.messages, errorAction: settings.errorAction }}
          onRetry={() => open()}
          onOrder={() => setHasOrder(true)}
        />
      )}
    </div>
  );
}

/** A button that passes the focus to the card if it is removed while focused. */
function FocusedButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current?.matches(':focus')) focusCard(current);
    };
  }, []);
  return <button ref={button} {...props} />;
}
