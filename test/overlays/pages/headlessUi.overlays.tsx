import * as Headless from '@headlessui/react';
import { useState } from 'react';
import { Cart, useMenuCheckout } from './Cart.js';

export function Dialog() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open overlay
      </button>
      <Headless.Dialog open={isOpen} onClose={setIsOpen}>
        <Headless.DialogPanel>
          <Cart />
        </Headless.DialogPanel>
      </Headless.Dialog>
    </>
  );
}

export const Popover = () => (
  <Headless.Popover>
    <Headless.PopoverButton>Open overlay</Headless.PopoverButton>
    <Headless.PopoverPanel>
      <Cart />
    </Headless.PopoverPanel>
  </Headless.Popover>
);

export const AnchoredPopover = () => (
  <Headless.Popover>
    <Headless.PopoverButton>Open overlay</Headless.PopoverButton>
    <Headless.PopoverPanel anchor="bottom">
      <Cart />
    </Headless.PopoverPanel>
  </Headless.Popover>
);

export function Menu() {
  const { buy, menuButton } = useMenuCheckout();
  return (
    <Headless.Menu>
      <Headless.MenuButton ref={menuButton}>Open overlay</Headless.MenuButton>
      <Headless.MenuItems anchor="bottom">
        <Headless.MenuItem>
          <button type="button" onClick={buy}>
            Buy crypto
          </button>
        </Headless.MenuItem>
        <Headless.MenuItem>
          <button type="button">Other</button>
        </Headless.MenuItem>
      </Headless.MenuItems>
    </Headless.Menu>
  );
}
