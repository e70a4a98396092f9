import { FocusTrap } from 'focus-trap-react';
import { useState } from 'react';
import { Cart } from './Cart.js';

export function Dialog() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open overlay
      </button>
      {isOpen && (
        <FocusTrap focusTrapOptions={{ onDeactivate: () => setIsOpen(false) }}>
          <div role="dialog" aria-label="Cart">
            <Cart />
            <button type="button">Last</button>
          </div>
        </FocusTrap>
      )}
    </>
  );
}
