import { type ComponentProps, type RefObject, useRef } from 'react';
import { OnRampButton, useCheckout } from '../../../src/index.js';

/** The content of each overlay: a checkout button, and a text beside it. */
export const Cart = () => (
  <>
    <p>Cart content</p>
    <Buy />
  </>
);

/** The checkout button. As a menu item, it gets props and a ref of the menu. */
export const Buy = (props: ComponentProps<typeof OnRampButton>) => (
  <OnRampButton amount="100" {...props}>
    Buy crypto
  </OnRampButton>
);

/** A checkout that a menu item opens, and that stays mounted when the menu closes. */
export function useMenuCheckout(): {
  buy: () => void;
  menuButton: RefObject<HTMLButtonElement | null>;
} {
  const menuButton = useRef<HTMLButtonElement>(null);
  const { open } = useCheckout({ widget: 'on-ramp', params: { amount: '100' } });
  return { buy: () => open({ trigger: menuButton.current ?? undefined }), menuButton };
}
