import { CheckoutNote, useCheckout, useRamp } from '../../src/index.js';

/** A checkout page of a shop: the button, the note and the widget are each in a place of their own. */
export function OwnPlaces() {
  const { language = 'en' } = useRamp();
  const checkout = useCheckout({ widget: 'on-ramp', display: 'inline', params: { amount: '100' } });
  const { status, open, prefetch, inlineRef } = checkout;
  return (
    <section className="own-checkout">
      <h2>Pay for your order</h2>
      <p>
        <button type="button" onPointerEnter={prefetch} onFocus={prefetch} onClick={open}>
          {status === 'open' ? 'Checkout is open' : 'Pay 100 USD'}
        </button>
      </p>
      <p>The checkout opens in the language “{language}”.</p>
      <CheckoutNote checkout={checkout} />
      <div ref={inlineRef} />
    </section>
  );
}
