import { forwardRef } from 'react';
import { fetchBackend } from '../backend/fetchBackend.js';
import { useRampSettings } from '../provider/RampProvider.js';
import type { CheckoutStatusProps } from './CheckoutStatusProps.js';
import { StatusCard } from './StatusCard.js';
import { useStatusList } from './useStatusList.js';

/**
 * A card with the state of a checkout, as the partner's backend knows it from the order list: its steps with
 * their times, the amounts paid and received, and the transaction. It updates until the checkout is terminal,
 * and reconnects automatically.
 *
 * Without a `reference` it shows the checkouts that the buttons of this tab opened under the same `api`, also
 * after a reload: the newest that is not terminal, and the others in a list below. It is hidden until one is
 * opened.
 *
 * It requests `GET {api}/checkouts/:reference` and its event stream, with the `api` of {@link RampProvider} or
 * its own prop. Errors are shown in the card and passed to `render`, with the codes of
 * {@link useCheckoutStatus}; the card never throws. The state is in `data-state`: `idle` (no reference, the
 * card is hidden), `loading`, `error`, or the checkout's {@link CheckoutProgress}. `children` are shown at its
 * end.
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
        settings={{ ...settings, request: fetchBackend }}
        card={StatusCard}
        cardRef={ref}
      />
    ) : (
      <StatusCard {...props} ref={ref} />
    );
  },
);
