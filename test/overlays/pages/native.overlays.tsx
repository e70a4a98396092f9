import { useRef } from 'react';
import { Cart } from './Cart.js';

export function Dialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Open overlay
      </button>
      <dialog ref={dialog}>
        <Cart />
      </dialog>
    </>
  );
}

export const Popover = () => (
  <>
    <button type="button" popoverTarget="cart">
      Open overlay
    </button>
    <div id="cart" popover="auto">
      <Cart />
    </div>
  </>
);
