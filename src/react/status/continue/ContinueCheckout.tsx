import { type ButtonHTMLAttributes, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusCard } from '../../../client/focusCard.js';
import {
  getOpenWidget,
  hasOpenWidget,
  subscribeOpenWidgets,
} from '../../../client/stores/openWidgets.js';
import type { RampMessages } from '../../../messages/RampMessages.js';
import { statusEnglish } from '../../../messages/StatusMessages.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { CheckoutState } from '../../checkout/CheckoutNote.js';
import { type ContinueSettings, createContinuation } from './createContinuation.js';

/** Returns whether the page has the widget of a checkout open, in the page or in a window. */
export const useIsWidgetOpen = (reference: string | undefined): boolean =>
  useOpenWidgets(() => getOpenWidget(reference) !== undefined, reference);

/** Returns whether the page has any widget open, in the page or in a window. */
export const useHasOpenWidget = (): boolean => useOpenWidgets(hasOpenWidget);

function useOpenWidgets(read: () => boolean, reference?: string): boolean {
  // Do not call useSyncExternalStore. No other code of a button calls it, so webpack would add its name to the first
  // load.
  const [isOpen, setIsOpen] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is a new function at each render
  useEffect(() => {
    const update = () => setIsOpen(read());
    update();
    return subscribeOpenWidgets(update);
  }, [reference]);
  return isOpen;
}

/** Returns whether a checkout waits for its payment and the page has the settings to continue it. */
export const canContinue = (
  checkout: Pick<CheckoutResponse, 'progress'> | undefined,
  settings: ContinueSettings | undefined,
): boolean => checkout?.progress === 'waiting' && Boolean(settings?.widgetUrl && settings.api);

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
  const [state, setState] = useState<CheckoutState>({ status: 'idle' });
  const [continuation] = useState(() => createContinuation(checkout, settings, setState));
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    continuation.setOptions(settings);
  });
  useEffect(() => () => continuation.dispose(), [continuation]);
  const { status, error, Note } = state;
  const [hasOrder, setHasOrder] = useState(false);
  const hasOutcome = hasOrder || /^ERR_(ORDER_EXISTS|CHECKOUT_EXPIRED)$/.test(error?.code ?? '');
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
  const messages = { ...statusEnglish, ...(settings.messages as Partial<RampMessages>) };
  const isInWindow = useOpenWidgets(() => !!getOpenWidget(reference)?.isWindow, reference);
  const open = (trigger?: HTMLElement) => {
    const widget = getOpenWidget(reference);
    if (widget) widget.focus();
    else continuation.open(trigger);
  };
  const note =
    Note && (isOffered || state.notice) ? (
      <Note
        state={{ ...state, errorAction: settings.errorAction }}
        messages={settings.messages}
        onRetry={() => open()}
        onOrder={() => setHasOrder(true)}
      />
    ) : (
      status === 'error' && isOffered && (settings.messages?.reload ?? 'Reload the page to retry.')
    );
  return (
    <div ref={root} className="ramp-continue">
      {isOffered && !hasOutcome && (
        <FocusedButton
          type="button"
          className={isInWindow ? 'ramp-status-retry' : 'ramp-button'}
          data-state={status}
          aria-busy={status === 'signing'}
          aria-describedby={describedBy}
          onPointerEnter={() => continuation.prefetch()}
          onFocus={() => continuation.prefetch()}
          onClick={({ currentTarget }) => open(currentTarget)}
        >
          {isInWindow && !state.notice
            ? (messages.showWindow ?? 'Show the checkout window')
            : messages.continueCheckout}
        </FocusedButton>
      )}
      {/* Always rendered, because screen readers announce only changes of a live region that already exists. */}
      <div
        // The notice about a payment has a live region of its own.
        role={state.notice ? undefined : 'status'}
        className={error && !hasOutcome ? 'ramp-note' : undefined}
      >
        {note}
      </div>
    </div>
  );
}

/** A button. If it is removed while it has the focus, the focus moves to the card. */
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
