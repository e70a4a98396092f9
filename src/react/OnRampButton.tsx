import {
  type ButtonHTMLAttributes,
  forwardRef,
  type ReactElement,
  type Ref,
  useContext,
} from 'react';
import type { CheckoutOptions, CheckoutState } from './checkout-types.js';
import type { OnRampParameterProps } from './onramp-props.js';
import { onRampSigned, onRampUnsigned } from './parameter-names.js';
import { pickParams } from './pickParams.js';
import { RampContext } from './RampProvider.js';
import { useCheckout } from './useCheckout.js';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement>;

/** What a `render` function spreads onto its own button. */
export type RampButtonProps = ButtonProps & {
  readonly ref: Ref<HTMLButtonElement>;
  readonly 'data-state': CheckoutState['status'];
};

export type OnRampButtonProps = OnRampParameterProps &
  Omit<CheckoutOptions, 'widget' | 'signedParams' | 'unsignedParams' | 'language' | 'partnerId'> &
  Omit<ButtonProps, 'onError'> & {
    /** Draws the button in your own way: spread what it is given, `ref` included. */
    readonly render?: ((props: RampButtonProps, state: CheckoutState) => ReactElement) | undefined;
  };

/**
 * A button that opens the on-ramp widget with a signature of your backend.
 *
 * Every on-ramp parameter of section 4.7 is a prop; the rest goes to the `<button>`. Amounts,
 * currencies, e-mail and language are not signed: a shopper can change them in the URL, so they
 * are a convenience and never enforce anything. The state is in `data-state`: `idle`, `signing`,
 * `open`, `blocked` or `error`. What goes wrong stands beside the button and goes to `onError`.
 *
 * @example
 * <OnRampButton amount="100" defaultFiatCurrency="USD" cryptoCurrency="USDT_ERC20">Buy crypto</OnRampButton>
 */
export const OnRampButton = /* @__PURE__ */ forwardRef<HTMLButtonElement, OnRampButtonProps>(
  function OnRampButton(own, ref) {
    const props = useContext(RampContext).choose?.(own) ?? own;
    const [signedParams, others] = pickParams(props, onRampSigned);
    const [unsignedParams, rest] = pickParams(others, onRampUnsigned);
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
      onEvent,
      onError,
      className = '',
      children,
      ...native
    } = rest as OnRampButtonProps;
    const checkout = useCheckout({ ...rest, widget: 'on-ramp', signedParams, unsignedParams });
    const { status, error, messages, open, prefetch, Note } = checkout;
    // Not to be had at present, but still a place for the focus to be.
    const isOff = native.disabled || `${native['aria-disabled']}` === 'true';
    const button: RampButtonProps = {
      type: 'button',
      'aria-busy': status === 'signing',
      ...native,
      ref,
      'data-state': status,
      className: `ramp-button ${className}`,
      children: children ?? messages?.buy ?? 'Buy crypto',
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
    return (
      <>
        {render ? render(button, checkout) : <button {...button} />}
        {error && (
          <span className="ramp-note" role="alert">
            {Note ? (
              <Note state={checkout} messages={messages} onRetry={() => open()} />
            ) : (
              (messages?.failed ?? error.message)
            )}
          </span>
        )}
      </>
    );
  },
);
