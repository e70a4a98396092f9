import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { useRampSettings } from '../provider/RampProvider.js';
import { useWatched } from '../useWatched.js';

/** The backend that {@link useCheckoutStatus} requests. Missing options are taken from {@link RampProvider}. */
export interface CheckoutStatusOptions extends BackendSettings {}

/** What {@link useCheckoutStatus} returns, and what the function `render` of {@link CheckoutStatus} receives. */
export interface CheckoutStatusState {
  /** The last known state of the checkout. It is kept while requests fail. */
  readonly data: CheckoutResponse | undefined;
  /**
   * `idle` without a reference, `loading` until the first response, then `success`. `error` while requests fail, or
   * after an error that is not retried.
   */
  readonly status: 'idle' | 'loading' | 'success' | 'error';
  /** The error of the last request. Set if the status is `error`. */
  readonly error: RampError | undefined;
  /** Requests the state again immediately, even after an error that is not retried. The last known state is kept. */
  readonly retry: () => void;
}

interface KnownState extends Pick<CheckoutStatusState, 'data' | 'error'> {}

const unknown: KnownState = { data: undefined, error: undefined };

/**
 * Returns the state of a checkout, as your backend knows it from the order list. While
 * the checkout may change, the hook polls `GET {api}/checkouts?references=…`, every few seconds at first. Everything
 * that a page watches at one backend shares these requests. Missing options are taken from {@link RampProvider}.
 *
 * The hook never throws. Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * or a code of the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`, and `ERR_CHECKOUT_NOT_FOUND` if the
 * checkout does not belong to this user. A failed request is repeated automatically, unless it would fail again, such as
 * after these two codes. If the hook's lazy code could not be loaded (`ERR_NETWORK`), only `retry` or a reload of the
 * page helps.
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
