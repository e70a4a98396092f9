import type { OnRampParameterProps } from '../../client/params/OnRampParameters.js';
import { createComponent } from '../card/createComponent.js';
import { type CheckoutButtonProps, useCheckoutButton } from './useCheckoutButton.js';

/** Props of {@link OnRampButton}: the on-ramp parameters, and the props that every checkout button has. */
export type OnRampButtonProps = OnRampParameterProps & CheckoutButtonProps;

/**
 * A button that opens the on-ramp widget. If `api` or `signer` is set, your backend signs the checkout.
 *
 * Every on-ramp parameter (service interface, section 4.7) is a prop; other props are passed to the `<button>`.
 * Amounts, currencies, e-mail and language are not signed. A shopper can change them in the URL, so do not rely on
 * them.
 *
 * The attribute `data-state` reports the checkout's state: `idle`, `signing`, `open`, `blocked` or `error`. An error is
 * shown beside the button and passed to `onError`.
 *
 * @example
 * <OnRampButton amount="100" defaultFiatCurrency="USD" cryptoCurrency="USDT_ERC20">Buy crypto</OnRampButton>
 */
export const OnRampButton = /* @__PURE__ */ createComponent<HTMLButtonElement, OnRampButtonProps>(
  'OnRampButton',
  function OnRampButton(own, ref) {
    return useCheckoutButton('on-ramp', own, ref);
  },
  'on-ramp',
);
