import { CheckoutHistory } from '@partner-ramp/react';
import { OrderCard } from './OrderCard.js';

export const OrderHistory = () => (
  <CheckoutHistory
    className="order-list"
    pageSize={8}
    renderCheckout={(checkout, entry) => <OrderCard checkout={checkout} entry={entry} />}
    empty={
      <p className="no-orders">
        <a href="/#for-sale">See the prints for sale</a>, or{' '}
        <a href="/#top-up">top up your wallet</a>.
      </p>
    }
  />
);
