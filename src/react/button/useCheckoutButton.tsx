import {
  type ButtonHTMLAttributes,
  type ForwardedRef,
  type ReactElement,
  type Ref,
  useContext,
  useEffect,
} from 'react';
import type { CheckoutOptions } from '../../client/checkout/CheckoutSettings.js';
import type { CheckoutState } from '../../client/checkout/checkoutStates.js';
import type { CheckoutCallbacks } from '../../client/checkout/events.js';
import { settingNames } from '../../client/checkout/settingNames.js';
import { parameterNames } from '../../client/params/parameterNames.js';
import { buy, buyNft } from '../../messages/EntryMessages.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { callPage, toPageContent } from '../card/PageNodes.js';
import { CheckoutNoteContent } from '../checkout/CheckoutNote.js';
import { useCheckout } from '../checkout/useCheckout.js';
import { RampContext, type RampSettings } from '../provider/RampProvider.js';

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
  CheckoutOptions & RampSettings,
  'widget' | 'signedParams' | 'unsignedParams' | 'language' | 'partnerId' | 'windowOpenName'
> &
  Omit<ButtonProps, keyof CheckoutCallbacks | 'type' | 'nonce'> & {
    /**
     * Renders your own element as the button. Spread the props onto it, including `ref`. Their only class names are
     * those of your `className`; add `ramp-button` to keep the package's styles.
     */
    readonly render?: ((props: RampButtonProps, state: CheckoutState) => ReactElement) | undefined;
  };

/** The label of a button without children: the name of its message, and the English text. */
const labels = {
  'on-ramp': { name: 'buy', text: buy },
  nft: { name: 'buyNft', text: buyNft },
} as const;

/** The props that are not passed to the button's element. */
const ownNames = new Set([...settingNames, 'errorAction', 'notice', 'render']);

/** Renders a button that opens a widget, the note beside it, and the container of an inline widget. */
export function useCheckoutButton(
  widget: Widget,
  own: object,
  ref: ForwardedRef<HTMLButtonElement>,
): ReactElement {
  const props = useContext(RampContext).bind?.(own, widget) ?? own;
  const { params, settings, native } = splitProps(widget, props);
  const { render, display } = settings;
  const { className = '', children } = native;
  const checkout = useCheckout({ ...settings, widget, params });
  const { status, messages, open, prefetch } = checkout;
  // A page may set `aria-disabled` (a boolean or text) instead of `disabled`, to keep the button focusable.
  const isOff =
    native.disabled || native['aria-disabled'] === true || native['aria-disabled'] === 'true';
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production')
      import('../../client/dev/checkProps.js').then(({ checkNames }) => checkNames(widget, native));
  });
  const label = labels[widget];
  const button: RampButtonProps = {
    type: 'button',
    'aria-busy': status === 'signing',
    ...native,
    ref,
    'data-state': status,
    // An element from `render` gets none of this package's styles.
    className: render ? className : `ramp-button ${className}`,
    children: toPageContent(children) ?? messages?.[label.name] ?? label.text,
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
      if (!isOff && !event.defaultPrevented) open({ display, trigger: event.currentTarget });
    },
  };
  return (
    <>
      {render ? callPage(() => render(button, checkout)) : <button {...button} />}
      <CheckoutNoteContent checkout={checkout} />
      {display === 'inline' && <div ref={checkout.inlineRef} />}
    </>
  );
}

interface SplitProps {
  /** The parameters of the widget. */
  readonly params: Record<string, unknown>;
  readonly settings: Pick<CheckoutButtonProps, 'render' | 'display'>;
  /** The attributes of the element. */
  readonly native: ButtonProps;
}

function splitProps(widget: Widget, props: object): SplitProps {
  const { signed, unsigned } = parameterNames[widget];
  const params: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  const native: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (signed.includes(name) || unsigned.includes(name)) params[name] = value;
    else if (ownNames.has(name)) settings[name] = value;
    else native[name] = value;
  }
  return { params, settings, native };
}
