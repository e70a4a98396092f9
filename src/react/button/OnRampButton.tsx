import type { OnRampRow, ParameterProps } from '../../client/params/OnRampParameters.js';
import { onRampSigned, onRampUnsigned } from '../../client/params/parameterNames.js';
import { createComponent } from '../card/createComponent.js';
import { type CheckoutButtonProps, useCheckoutButton } from './useCheckoutButton.js';

type Wallet = Extract<OnRampRow, { name: 'walletAddress' } | { needs: 'walletAddress' }>;

/**
 * The on-ramp parameters as props (docs/service-interface.md section 4.7). Amounts are decimal strings; lists
 * are arrays or comma-separated text; flags are booleans or `'0'` and `'1'`. A locked or hidden wallet
 * requires `walletAddress`, which may be `undefined` until a wallet is connected.
 */
export type OnRampParameterProps = ParameterProps<Exclude<OnRampRow, Wallet>> &
  (
    | (ParameterProps<Wallet> & { readonly walletAddress: string | undefined })
    | { readonly [R in Wallet as R['name']]?: undefined }
  );

/** Props of {@link OnRampButton}: the on-ramp parameters, and the props that every checkout button has. */
export type OnRampButtonProps = OnRampParameterProps & CheckoutButtonProps;

const onRamp = {
  widget: 'on-ramp',
  signed: onRampSigned,
  unsigned: onRampUnsigned,
  label: 'buy',
  text: 'Buy crypto',
} as const;

/**
 * A button that opens the on-ramp widget. If `api` or `signer` is set, your backend signs the checkout.
 *
 * Every on-ramp parameter (docs/service-interface.md section 4.7) is a prop; other props are passed to the `<button>`.
 * Amounts, currencies, e-mail and language are not signed. A shopper can change them in the URL, so do not rely on
 * them.
 *
 * The attribute `data-state` has the state of the checkout: `idle`, `signing`, `open`, `blocked` or `error`. An error
 * is shown beside the button and passed to `onError`.
 *
 * @example
 * <OnRampButton amount="100" defaultFiatCurrency="USD" cryptoCurrency="USDT_ERC20">Buy crypto</OnRampButton>
 */
export const OnRampButton = /* @__PURE__ */ createComponent<HTMLButtonElement, OnRampButtonProps>(
  'OnRampButton',
  function OnRampButton(own, ref) {
    return useCheckoutButton(onRamp, own, ref);
  },
  'on-ramp',
);
