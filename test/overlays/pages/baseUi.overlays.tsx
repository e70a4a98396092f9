import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { Buy, Cart, useMenuCheckout } from './Cart.js';

export const Dialog = () => (
  <BaseDialog.Root>
    <BaseDialog.Trigger>Open overlay</BaseDialog.Trigger>
    <BaseDialog.Portal>
      <BaseDialog.Backdrop />
      <BaseDialog.Popup style={{ position: 'fixed', top: 50 }}>
        <BaseDialog.Title>Cart</BaseDialog.Title>
        <Cart />
      </BaseDialog.Popup>
    </BaseDialog.Portal>
  </BaseDialog.Root>
);

export const Popover = () => (
  <BasePopover.Root>
    <BasePopover.Trigger>Open overlay</BasePopover.Trigger>
    <BasePopover.Portal>
      <BasePopover.Positioner>
        <BasePopover.Popup>
          <Cart />
        </BasePopover.Popup>
      </BasePopover.Positioner>
    </BasePopover.Portal>
  </BasePopover.Root>
);

export function Menu() {
  const { buy, menuButton } = useMenuCheckout();
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger ref={menuButton}>Open overlay</BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner>
          <BaseMenu.Popup>
            <BaseMenu.Item onClick={buy}>Buy crypto</BaseMenu.Item>
            <BaseMenu.Item>Other</BaseMenu.Item>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** The button itself is the item, and the menu stays open. */
export const ButtonInMenu = () => (
  <BaseMenu.Root>
    <BaseMenu.Trigger>Open overlay</BaseMenu.Trigger>
    <BaseMenu.Portal>
      <BaseMenu.Positioner>
        <BaseMenu.Popup>
          <BaseMenu.Item closeOnClick={false} nativeButton render={<Buy />} />
          <BaseMenu.Item>Other</BaseMenu.Item>
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
);
