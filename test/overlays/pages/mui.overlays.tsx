import MuiDialog from '@mui/material/Dialog';
import MuiMenu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import MuiPopover from '@mui/material/Popover';
import { useState } from 'react';
import { Buy, Cart, useMenuCheckout } from './Cart.js';

function useAnchor() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const button = {
    type: 'button' as const,
    onClick: (event: { currentTarget: HTMLElement }) => setAnchor(event.currentTarget),
    children: 'Open overlay',
  };
  return { anchor, button, close: () => setAnchor(null) };
}

export function Dialog() {
  const { anchor, button, close } = useAnchor();
  return (
    <>
      <button {...button} />
      <MuiDialog open={anchor !== null} onClose={close}>
        <Cart />
      </MuiDialog>
    </>
  );
}

export function Popover() {
  const { anchor, button, close } = useAnchor();
  return (
    <>
      <button {...button} />
      <MuiPopover open={anchor !== null} anchorEl={anchor} onClose={close}>
        <Cart />
      </MuiPopover>
    </>
  );
}

export function Menu() {
  const { anchor, button, close } = useAnchor();
  const { buy, menuButton } = useMenuCheckout();
  const choose = () => {
    close();
    buy();
  };
  return (
    <>
      <button {...button} ref={menuButton} />
      <MuiMenu open={anchor !== null} anchorEl={anchor} onClose={close}>
        <MenuItem onClick={choose}>Buy crypto</MenuItem>
        <MenuItem onClick={close}>Other</MenuItem>
      </MuiMenu>
    </>
  );
}

/** The button itself is the item, and the menu stays open. */
export function ButtonInMenu() {
  const { anchor, button, close } = useAnchor();
  return (
    <>
      <button {...button} />
      <MuiMenu open={anchor !== null} anchorEl={anchor} onClose={close}>
        <MenuItem component={Buy} role="menuitem" />
        <MenuItem onClick={close}>Other</MenuItem>
      </MuiMenu>
    </>
  );
}
