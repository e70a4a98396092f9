import * as Aria from 'react-aria-components';
import { useCheckout } from '../../../src/index.js';
import { Cart, useMenuCheckout } from './Cart.js';

export const Dialog = () => (
  <Aria.DialogTrigger>
    <Aria.Button>Open overlay</Aria.Button>
    <Aria.ModalOverlay isDismissable>
      <Aria.Modal>
        <Aria.Dialog aria-label="Cart">
          <Cart />
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  </Aria.DialogTrigger>
);

export const Popover = () => (
  <Aria.DialogTrigger>
    <Aria.Button>Open overlay</Aria.Button>
    <Aria.Popover>
      <Aria.Dialog aria-label="Cart">
        <Cart />
      </Aria.Dialog>
    </Aria.Popover>
  </Aria.DialogTrigger>
);

export function Menu() {
  const { buy, menuButton } = useMenuCheckout();
  return (
    <Aria.MenuTrigger>
      <Aria.Button ref={menuButton}>Open overlay</Aria.Button>
      <Aria.Popover>
        <Aria.Menu>
          <Aria.MenuItem onAction={buy}>Buy crypto</Aria.MenuItem>
          <Aria.MenuItem>Other</Aria.MenuItem>
        </Aria.Menu>
      </Aria.Popover>
    </Aria.MenuTrigger>
  );
}

/** The page's own button, which does not say where the focus returns to. */
export function OwnButtonInDialog() {
  const { open } = useCheckout({ widget: 'on-ramp', unsignedParams: { amount: '100' } });
  return (
    <Aria.DialogTrigger>
      <Aria.Button>Open overlay</Aria.Button>
      <Aria.ModalOverlay>
        <Aria.Modal>
          <Aria.Dialog aria-label="Cart">
            <p>Cart content</p>
            <Aria.Button onPress={() => open()}>Buy crypto</Aria.Button>
          </Aria.Dialog>
        </Aria.Modal>
      </Aria.ModalOverlay>
    </Aria.DialogTrigger>
  );
}
