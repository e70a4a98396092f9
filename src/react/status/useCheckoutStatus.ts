import { useCallback, useEffect, useRef, useState } from 'react';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { type BackendSettings, fetchBackend } from '../backend/fetchBackend.js';
import { createLoadError } from '../createLoadError.js';
import { useRampSettings } from '../provider/RampProvider.js';

/** The backend of {@link useCheckoutStatus}. */
export interface CheckoutStatusOptions extends BackendSettings {}

/** The result of {@link useCheckoutStatus}. */
export interface CheckoutStatusState {
  /** The last known state. It is kept while the connection is lost. */
  readonly data: CheckoutResponse | undefined;
  /** `loading` until the first response; `success` with one; `error` while the backend cannot be reached, or after a final error. */
  readonly status: 'idle' | 'loading' | 'success' | 'error';
  /** The error of the last request, with the status `error`. */
  readonly error: RampError | undefined;
  /** Requests the state again immediately, also after a final error. The last known state is kept. */
  readonly retry: () => void;
}

/** The last known state, and the request that returned it. */
interface KnownState extends Omit<CheckoutStatusState, 'retry'> {
  readonly key: string;
}

const idle = { data: undefined, status: 'idle', error: undefined } as const;
const loading = { ...idle, status: 'loading' } as const;

/**
 * Returns the state of a checkout, as your backend knows it from the order list:
 * `GET {api}/checkouts/:reference` and its event stream. Missing options are taken from {@link RampProvider}.
 *
 * It never throws: `error` has the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`, `ERR_CONFIG_INVALID`
 * without an `api`, or `ERR_REQUEST` when the checkout is not this user's.
 *
 * @param reference - From `onOpen` or `onEvent`; with `undefined` the hook sends no request.
 * @example
 * const { data: checkout } = useCheckoutStatus(reference);
 * return checkout?.progress === 'finished' ? <p>Delivered</p> : <p>Waiting for your payment</p>;
 */
export function useCheckoutStatus(
  reference: string | undefined,
  options: CheckoutStatusOptions = {},
): CheckoutStatusState {
  const { api, credentials, headers } = useRampSettings<CheckoutStatusOptions>(options);
  const key = JSON.stringify([reference, api, credentials, headers]);
  const [state, setState] = useState<KnownState>({ key: '', ...idle });
  const [tries, setTries] = useState(0);
  const latest = useRef(headers);
  useEffect(() => {
    latest.current = headers;
  });
  useEffect(() => {
    if (!reference) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (change: (known: KnownState) => Partial<KnownState>) => {
      if (!signal.aborted) setState((known) => ({ ...known, ...change(known) }));
    };
    // The connection may recover before the first response.
    const setError = (error: RampError | undefined) =>
      show(({ data }) => ({ error, status: error ? 'error' : data ? 'success' : 'loading' }));
    const log = (error: RampError) =>
      import('../dev/logFailure.js').then(
        ({ logFailure }) => signal.aborted || logFailure(error),
        () => {},
      );
    // Keep the known state while the same checkout is requested again.
    setState((known) => ({
      ...(tries > 0 && known.key === key && known.data ? { ...known, status: 'success' } : loading),
      error: undefined,
      key,
    }));
    import('./watch/watchCheckout.js')
      .then(({ watchCheckout }) =>
        watchCheckout({
          api,
          credentials,
          get headers() {
            return latest.current;
          },
          reference,
          request: fetchBackend,
          signal,
          onChange: (data) => show(() => ({ data, status: 'success', error: undefined })),
          onError(error) {
            setError(error);
            // In development watchCheckout warns itself.
            if (error && process.env.NODE_ENV === 'production') log(error);
          },
        }),
      )
      .catch((cause) => {
        const error = createLoadError(cause);
        setError(error);
        log(error);
      });
    return () => controller.abort();
  }, [reference, api, credentials, key, tries]);
  const retry = useCallback(() => setTries((count) => count + 1), []);
  // The state of another checkout: the effect that resets it has not run yet.
  const { key: _, ...current } =
    state.key === key ? state : { key, ...(reference ? loading : idle) };
  return { ...current, retry };
}
