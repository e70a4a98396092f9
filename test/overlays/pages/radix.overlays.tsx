import * as RadixDialog from '@radix-ui/react-dialog';
import * as RadixMenu from '@radix-ui/react-dropdown-menu';
import * as RadixPopover from '@radix-ui/react-popover';
import { Buy, Cart, useMenuCheckout } from './Cart.js';

export const Dialog = () => (
  <RadixDialog.Root>
    <RadixDialog.Trigger>Open overlay</RadixDialog.Trigger>
    <RadixDialog.Portal>
      <RadixDialog.Overlay style={{ position: 'fixed', inset: 0 }} />
      <RadixDialog.Content aria-describedby={undefined} style={{ position: 'fixed', top: 50 }}>
        <RadixDialog.Title>Cart</RadixDialog.Title>
        <Cart />
      </RadixDialog.Content>
    </RadixDialog.Portal>
  </RadixDialog.Root>
);

export const Popover = () => (
  <RadixPopover.Root>
    <RadixPopover.Trigger>Open overlay</RadixPopover.Trigger>
    <RadixPopover.Portal>
      <RadixPopover.Content>
        <Cart />
      </RadixPopover.Content>
    </RadixPopover.Portal>
  </RadixPopover.Root>
);

export function Menu() {
  const { buy, menuButton } = useMenuCheckout();
  return (
    <RadixMenu.Root>
      <RadixMenu.Trigger ref={menuButton}>Open overlay</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content>
          <RadixMenu.Item onSelect={buy}>Buy crypto</RadixMenu.Item>
          <RadixMenu.Item>Other</RadixMenu.Item>
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

/** The button itself is the item, and the menu stays open. */
export const ButtonInMenu = () => (
  <RadixMenu.Root>
    <RadixMenu.Trigger>Open overlay</RadixMenu.Trigger>
    <RadixMenu.Portal>
      <RadixMenu.Content>
        <RadixMenu.Item asChild onSelect={(event) => event.preventDefault()}>
          <Buy />
        </RadixMenu.Item>
        <RadixMenu.Item>Other</RadixMenu.Item>
      </RadixMenu.Content>
    </RadixMenu.Portal>
  </RadixMenu.Root>
);
