import {
  type ButtonHTMLAttributes,
  type ForwardedRef,
  type ReactElement,
  type Ref,
  useContext,
} from 'react';
import type { CheckoutCallbacks } from '../../client/checkout/events.js';
import { pickParams } from '../../client/params/pickParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { callPage, toPageContent } from '../card/PageNodes.js';
import type { CheckoutState } from '../checkout/CheckoutNote.js';
import { type CheckoutOptions, useCheckout } from '../checkout/useCheckout.js';
import { RampContext } from '../provider/RampProvider.js';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement>;

/** The props that a `render` function spreads onto its own button. */
export type RampButtonProps = ButtonProps & {
  /** The ref that was passed to the component. */
  readonly ref: Ref<HTMLButtonElement>;
  /** The `status` of the {@link CheckoutState}, for stylesheets. */
  readonly 'data-state': CheckoutState['status'];
};

/** The props that every checkout button has, in addition to the parameters of its widget. */
export type CheckoutButtonProps = Omit<
  CheckoutOptions,
  'widget' | 'signedParams' | 'unsignedParams' | 'language' | 'partnerId' | 'windowOpenName'
> &
  Omit<ButtonProps, keyof CheckoutCallbacks | 'type' | 'nonce'> & {
    /**
     * Renders your own element as the button. Spread the props onto it, including `ref`. Their only class names are
     * those of your `className`; add `ramp-button` to keep the package's styles.
     */
    readonly render?: ((props: RampButtonProps, state: CheckoutState) => ReactElement) | undefined;
  };

/** The differences between the on-ramp button and the NFT button. */
interface ButtonKind {
  readonly widget: Widget;
  /** The names of the parameters that are proposed to the signer, separated by spaces. */
  readonly signed: string;
  /** The names of the parameters that the browser adds to the URL, separated by spaces. */
  readonly unsigned: string;
  /** The name of the message that labels a button without children. */
  readonly label: 'buy' | 'buyNft';
  /** The English label, for a page that does not set the message. */
  readonly text: string;
}

/** The props that the button's element does not get. */
const ownProps =
  'render display widgetUrl signer api credentials headers fetch messages errorAction maxAgeSeconds extraParams allow sandbox referrerPolicy onEvent onStatusChange onOpen onLoad onClose onBlocked onError';

/** Renders a button that opens a widget, the note beside it, and the container of an inline widget. */
export function useCheckoutButton(
  { widget, signed, unsigned, label, text }: ButtonKind,
  own: object,
  ref: ForwardedRef<HTMLButtonElement>,
): ReactElement {
  const props = useContext(RampContext).bind?.(own, widget) ?? own;
  const [signedParams, others] = pickParams(props, signed);
  const [unsignedParams, rest] = pickParams(others, unsigned);
  const native: ButtonProps = pickParams(rest, ownProps)[1];
  const { render, display, className = '', children } = rest as CheckoutButtonProps;
  const checkout = useCheckout({ ...rest, widget, signedParams, unsignedParams });
  const { status, error, messages, open, prefetch, Note } = checkout;
  // A page may set `aria-disabled` (a boolean or text) instead of `disabled`, to keep the button focusable.
  const isOff = `${native.disabled || native['aria-disabled']}` === 'true';
  const button: RampButtonProps = {
    type: 'button',
    'aria-busy': status === 'signing',
    ...native,
    ref,
    'data-state': status,
    // An element from `render` gets no styles of this package.
    className: render ? className : `ramp-button ${className}`,
    children: toPageContent(children) ?? messages?.[label] ?? text,
    onPointerEnter(event) {
      native.onPointerEnter?.(event);
      if (!isOff) prefetch(event);
    },
    onFocus(event) {
      native.onFocus?.(event);
      if (!isOff) prefetch(event);
    },
    onClick(event) {
      native.onClick?.(event);
      if (!isOff && !event.defaultPrevented) open(display, event.currentTarget);
    },
  };
  const note = Note && <Note state={checkout} />;
  return (
    <>
      {render ? callPage(() => render(button, checkout)) : <button {...button} />}
      {error ? (
        <span className="ramp-note" role="alert">
          {note || <span>{messages?.reload ?? error.message}</span>}
        </span>
      ) : (
        note
      )}
      {display === 'inline' && <div ref={checkout.inlineRef} />}
    </>
  );
}
