import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import type { CheckoutStatusState } from '../../client/status/CheckoutStatusState.js';
import { useRampSettings } from '../provider/RampProvider.js';
import { useWatched } from '../useWatched.js';

/**
 * The backend that {@link useCheckoutStatus} sends requests to. Missing options are taken from {@link RampProvider}.
 */
export interface CheckoutStatusOptions extends BackendSettings {}

interface KnownState extends Pick<CheckoutStatusState, 'data' | 'error'> {}

const unknown: KnownState = { data: undefined, error: undefined };

/**
 * Returns the state of a checkout, as your backend knows it from the order list. While
 * the checkout may change, the hook polls `GET {api}/checkouts?references=…`, every few seconds at first. Everything
 * that a page watches at one backend shares these requests. Missing options are taken from {@link RampProvider}.
 *
 * The hook never throws. Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * or a code from the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`, and `ERR_CHECKOUT_NOT_FOUND` if
 * the checkout does not belong to this user. A failed request is repeated automatically, unless it would fail again,
 * such as after these two codes. If the hook's lazy code could not be loaded (`ERR_NETWORK`), only `retry` or a reload
 * of the page helps.
 *
 * @param reference - The `reference` from `onOpen` or `onEvent`. With `undefined`, the hook sends no request.
 * @example
 * const { data: checkout } = useCheckoutStatus(reference);
 * return checkout?.progress === 'finished' ? <p>Delivered</p> : <p>Waiting for your payment</p>;
 */
export function useCheckoutStatus(
  reference: string | undefined,
  options: CheckoutStatusOptions = {},
): CheckoutStatusState {
  const settings = useRampSettings<CheckoutStatusOptions>(options);
  const { state, retry } = useWatched(
    reference || undefined,
    settings,
    unknown,
    ({ watchCheckout }, getBackend, update) =>
      watchCheckout(getBackend, reference as string, {
        onChange: (data) => update(() => ({ data, error: undefined })),
        onError: (error) => update(() => ({ error })),
      }),
  );
  const { data, error } = state;
  const status = !reference ? 'idle' : error ? 'error' : data ? 'success' : 'loading';
  return { data, status, error, retry };
}
