import { CheckoutNote, useCheckout } from '../../src/index.js';

/** A checkout that the page opens with its own button. The page also decides where the package's note is shown. */
export function OwnCheckout() {
  const checkout = useCheckout({ widget: 'on-ramp', params: { amount: '100' } });
  const { status, open, prefetch } = checkout;
  return (
    <section className="own-checkout">
      <h2>Your balance is low</h2>
      <p>
        <button
          type="button"
          aria-busy={status === 'signing'}
          onPointerEnter={prefetch}
          onFocus={prefetch}
          onClick={open}
        >
          {status === 'open' ? 'In the checkout' : 'Top up my wallet'}
        </button>
      </p>
      <p>
        <CheckoutNote checkout={checkout} />
      </p>
    </section>
  );
}
