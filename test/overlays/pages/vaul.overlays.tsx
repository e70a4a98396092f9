import { Drawer } from 'vaul';
import { Cart } from './Cart.js';

export const Dialog = () => (
  <Drawer.Root>
    <Drawer.Trigger>Open overlay</Drawer.Trigger>
    <Drawer.Portal>
      <Drawer.Overlay style={{ position: 'fixed', inset: 0 }} />
      <Drawer.Content
        aria-describedby={undefined}
        style={{ position: 'fixed', insetInline: 0, bottom: 0, background: '#eee' }}
      >
        <Drawer.Title>Cart</Drawer.Title>
        <Cart />
      </Drawer.Content>
    </Drawer.Portal>
  </Drawer.Root>
);
