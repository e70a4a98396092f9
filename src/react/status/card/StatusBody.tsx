import { focusCard } from '../../card/focusCard.js';
import type { StatusView } from './createStatusView.js';
import { getCheckoutSteps } from './getCheckoutSteps.js';
import { OrderDetails } from './OrderDetails.js';
import { StatusSteps } from './StatusSteps.js';

/** The steps, and the details of each order. */
export function StatusBody({ view }: { view: StatusView }) {
  const { checkout, trouble, messages, retry } = view;
  return (
    <>
      {trouble && trouble !== 'broken' && (
        <button
          type="button"
          className="ramp-status-retry"
          onClick={({ currentTarget }) => {
            focusCard(currentTarget);
            retry?.();
          }}
        >
          {messages.retry}
        </button>
      )}
      {checkout && <StatusSteps steps={getCheckoutSteps(checkout)} view={view} />}
      {checkout?.orders.map((order, i, { length }) => (
        // Orders are only ever appended, and they have no id that a page may know.
        <OrderDetails
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={i}
          order={order}
          isNft={checkout.widget === 'nft'}
          number={length > 1 ? i + 1 : undefined}
          view={view}
        />
      ))}
    </>
  );
}
