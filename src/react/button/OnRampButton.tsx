import { forwardRef } from 'react';
import type { OnRampParameterProps } from '../params/OnRampParameterProps.js';
import { onRampSigned, onRampUnsigned } from '../params/parameterNames.js';
import { type CheckoutButtonProps, useCheckoutButton } from './useCheckoutButton.js';

/** The props of {@link OnRampButton}. */
export type OnRampButtonProps = OnRampParameterProps & CheckoutButtonProps;

const onRamp = {
  widget: 'on-ramp',
  signed: onRampSigned,
  unsigned: onRampUnsigned,
  label: 'buy',
  text: 'Buy crypto',
} as const;

/**
 * A button that opens the on-ramp widget with a signature of your backend.
 *
 * Every on-ramp parameter of section 4.7 of the service interface is a prop; the rest goes to the `<button>`. Amounts,
 * currencies, e-mail and language are not signed: a shopper can change them in the URL, so they
 * are a convenience and never enforce anything. The state is in `data-state`: `idle`, `signing`,
 * `open`, `blocked` or `error`. What goes wrong stands beside the button and goes to `onError`.
 *
 * @example
 * <OnRampButton amount="100" defaultFiatCurrency="USD" cryptoCurrency="USDT_ERC20">Buy crypto</OnRampButton>
 */
export const OnRampButton = /* @__PURE__ */ forwardRef<HTMLButtonElement, OnRampButtonProps>(
  function OnRampButton(own, ref) {
    return useCheckoutButton(onRamp, own, ref);
  },
);
