import { forwardRef } from 'react';
import { requestBackend } from '../backend/requestBackend.js';
import { useRampSettings } from '../provider/RampProvider.js';
import type { CheckoutStatusProps } from './CheckoutStatusProps.js';
import { StatusCard } from './StatusCard.js';
import { useStatusList } from './useStatusList.js';

/**
 * A card that says how far a checkout is, as the partner's backend knows it from the order list: its
 * steps with their times, what was paid and received, the transaction. It follows by itself until the
 * checkout is over, and goes on by itself when the connection was lost.
 *
 * Without a `reference` it shows the checkouts that the buttons of this tab opened under the same `api`,
 * also after a reload: the newest that is not over, and the others in a list below. It is hidden while
 * there is none.
 *
 * It asks `GET {api}/checkouts/:reference` and its events, under the `api` of {@link RampProvider} or
 * its own. Errors stand in the card and are handed to `render`, with the codes of
 * {@link useCheckoutStatus}; nothing is thrown. The state is in `data-state`: `idle` (no reference, and
 * the card is hidden), `loading`, `error`, or the checkout's {@link CheckoutProgress}. `children` stand
 * at its end.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <OnRampButton />
 *   <CheckoutStatus />
 * </RampProvider>
 */
export const CheckoutStatus = /* @__PURE__ */ forwardRef<HTMLDivElement, CheckoutStatusProps>(
  function CheckoutStatus(props, ref) {
    const { part: list } = useStatusList('reference' in props);
    const settings = useRampSettings(props);
    return list && !('reference' in props) ? (
      <list.StatusList
        {...props}
        settings={{ ...settings, request: requestBackend }}
        card={StatusCard}
        cardRef={ref}
      />
    ) : (
      <StatusCard {...props} ref={ref} />
    );
  },
);
