import {
  type ButtonHTMLAttributes,
  type ForwardedRef,
  type ReactElement,
  type Ref,
  useContext,
} from 'react';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import type { CheckoutCallbacks, CheckoutOptions } from '../checkout/CheckoutOptions.js';
import type { CheckoutState } from '../checkout/CheckoutState.js';
import { useCheckout } from '../checkout/useCheckout.js';
import { pickParams } from '../params/pickParams.js';
import { RampContext } from '../provider/RampProvider.js';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement>;

/** What a `render` function spreads onto its own button. */
export type RampButtonProps = ButtonProps & {
  readonly ref: Ref<HTMLButtonElement>;
  readonly 'data-state': CheckoutState['status'];
};

/** What every button takes beside the parameters of its widget. */
export type CheckoutButtonProps = Omit<
  CheckoutOptions,
  'widget' | 'signedParams' | 'unsignedParams' | 'language' | 'partnerId'
> &
  Omit<ButtonProps, keyof CheckoutCallbacks | 'type'> & {
    /**
     * Draws the button with an element of your own: spread what it is given, `ref` included. It carries no
     * class but your `className`; add `ramp-button` to keep the package's looks.
     */
    readonly render?: ((props: RampButtonProps, state: CheckoutState) => ReactElement) | undefined;
  };

/** What one kind of button is about. */
interface ButtonKind {
  readonly widget: Widget;
  /** The parameters that are proposed to the signer, and those merged in the browser. */
  readonly signed: readonly string[];
  readonly unsigned: readonly string[];
  /** What it says without children, among the messages and in English. */
  readonly label: 'buy' | 'buyNft';
  readonly text: string;
}

/** A button that opens a widget, what stands beside it when that fails, and the place of an inline one. */
export function useCheckoutButton(
  { widget, signed, unsigned, label, text }: ButtonKind,
  own: object,
  ref: ForwardedRef<HTMLButtonElement>,
): ReactElement {
  const props = useContext(RampContext).bind?.(own, widget) ?? own;
  const [signedParams, others] = pickParams(props, signed);
  const [unsignedParams, rest] = pickParams(others, unsigned);
  const {
    render,
    widgetUrl,
    signer,
    api,
    credentials,
    headers,
    messages: _,
    maxAgeSeconds,
    extraParams,
    display,
    allow,
    sandbox,
    referrerPolicy,
    onEvent,
    onStatusChange,
    onOpen,
    onLoad,
    onClose,
    onBlocked,
    onError,
    className = '',
    children,
    ...native
  } = rest as CheckoutButtonProps;
  const checkout = useCheckout({ ...rest, widget, signedParams, unsignedParams });
  const { status, error, messages, open, prefetch, Note } = checkout;
  // Not to be had at present, but still a place for the focus to be.
  const isOff = native.disabled || `${native['aria-disabled']}` === 'true';
  const button: RampButtonProps = {
    type: 'button',
    'aria-busy': status === 'signing',
    ...native,
    ref,
    'data-state': status,
    // An element of the page's own carries none of our looks.
    className: render ? className : `ramp-button ${className}`,
    children: children ?? messages?.[label] ?? text,
    onPointerEnter(event) {
      native.onPointerEnter?.(event);
      if (!isOff) prefetch();
    },
    onFocus(event) {
      native.onFocus?.(event);
      if (!isOff) prefetch();
    },
    onClick(event) {
      native.onClick?.(event);
      if (!isOff && !event.defaultPrevented) open(display, event.currentTarget);
    },
  };
  const note = Note && <Note state={checkout} messages={messages} onRetry={() => open()} />;
  return (
    <>
      {render ? render(button, checkout) : <button {...button} />}
      {error ? (
        <span className="ramp-note" role="alert">
          {note || (messages?.reload ?? error.message)}
        </span>
      ) : (
        note
      )}
      {display === 'inline' && <div ref={checkout.inlineRef} />}
    </>
  );
}
