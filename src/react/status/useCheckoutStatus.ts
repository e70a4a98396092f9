import { useCallback, useEffect, useRef, useState } from 'react';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { type BackendSettings, fetchBackend } from '../backend/fetchBackend.js';
import { createLoadError } from '../createLoadError.js';
import { useRampSettings } from '../provider/RampProvider.js';

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

/** A state, and the `key` that says which reference and settings it belongs to. */
interface KnownState extends Omit<CheckoutStatusState, 'retry'> {
  readonly key: string;
}

const idle = { data: undefined, status: 'idle', error: undefined } as const;
const loading = { ...idle, status: 'loading' } as const;

/**
 * Returns the state of a checkout, as your backend knows it from the order list. The hook requests
 * `GET {api}/checkouts/:reference` and its event stream. Missing options are taken from {@link RampProvider}.
 *
 * The hook never throws. Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * or a code of the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`, and `ERR_REQUEST` if the checkout
 * does not belong to this user. A failed request is repeated automatically, except after `ERR_CONFIG_INVALID`,
 * `ERR_REQUEST` and `ERR_POLICY_REFUSED`. If the hook's lazy code could not be loaded (`ERR_NETWORK`), only `retry` or
 * a reload of the page helps.
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
  const { api, credentials, headers } = settings;
  const key = JSON.stringify([reference, api, credentials, headers]);
  const [state, setState] = useState<KnownState>({ key: '', ...idle });
  const [tries, setTries] = useState(0);
  const latest = useRef(settings);
  useEffect(() => {
    latest.current = settings;
  });
  useEffect(() => {
    if (!reference) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (change: (known: KnownState) => Partial<KnownState>) => {
      if (!signal.aborted) setState((known) => ({ ...known, ...change(known) }));
    };
    // `undefined` means that the backend responds again, perhaps before it has returned a first state.
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
            return latest.current.headers;
          },
          get fetch() {
            return latest.current.fetch;
          },
          reference,
          request: fetchBackend,
          signal,
          onChange: (data) => show(() => ({ data, status: 'success', error: undefined })),
          onError(error) {
            setError(error);
            // In development, watchCheckout() itself prints the error, so log it only in production.
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
  // If the key has changed, `state` belongs to the previous checkout, because the effect that resets it has not run
  // yet.
  const { key: _, ...current } =
    state.key === key ? state : { key, ...(reference ? loading : idle) };
  return { ...current, retry };
}
