import { useEffect, useState } from 'react';
import type { CheckoutAnswer } from '../../protocol/handler-answers.js';
import { RampError } from '../../protocol/ramp-error.js';
import type { RampSettings } from '../checkout-types.js';
import { useRampSettings } from '../RampProvider.js';

export interface CheckoutStatusOptions
  extends Pick<RampSettings, 'api' | 'credentials' | 'headers'> {}

export interface CheckoutStatusState {
  /** What is known; it stays while the connection is lost. */
  readonly answer: CheckoutAnswer | undefined;
  /** `loading` until the first answer; `error` while the backend cannot be asked, or for good. */
  readonly status: 'idle' | 'loading' | 'known' | 'error';
  readonly error: RampError | undefined;
}

const idle: CheckoutStatusState = { answer: undefined, status: 'idle', error: undefined };

/**
 * How far a checkout is, as your backend knows it from the order list: `GET {api}/checkouts/:reference`
 * and its events. Options not given come from {@link RampProvider}.
 *
 * Nothing is thrown: `error` has the code `ERR_NETWORK`, `ERR_RESPONSE_INVALID`, `ERR_CONFIG_INVALID`
 * without an `api`, or `ERR_REQUEST` when the checkout is not this user's.
 *
 * @param reference - From `onOpen` or `onEvent`; `undefined` asks nothing.
 * @example
 * const { answer } = useCheckoutStatus(reference);
 * return answer?.progress === 'finished' ? <p>Delivered</p> : <p>Waiting for your payment</p>;
 */
export function useCheckoutStatus(
  reference: string | undefined,
  options: CheckoutStatusOptions = {},
): CheckoutStatusState {
  const { api, credentials, headers } = useRampSettings<CheckoutStatusOptions>(options);
  const [state, setState] = useState({ of: reference, ...idle });
  const sent = JSON.stringify(headers);
  useEffect(() => {
    if (!reference) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (change: Partial<CheckoutStatusState>) => {
      if (!signal.aborted) setState((known) => ({ ...known, ...change }));
    };
    setState({ ...idle, of: reference, status: 'loading' });
    if (api == null) {
      const message =
        'api is missing: give RampProvider or useCheckoutStatus the path of your ramp handler.';
      show({ status: 'error', error: new RampError('ERR_CONFIG_INVALID', message) });
      return;
    }
    const given = { api, credentials, ...(sent && { headers: JSON.parse(sent) }) };
    import('./watchCheckout.js')
      .then(({ watchCheckout }) =>
        watchCheckout({
          ...given,
          reference,
          signal,
          onAnswer: (answer) => show({ answer, status: 'known' }),
          onError: (error) => show({ error, status: error ? 'error' : 'known' }),
        }),
      )
      .catch((cause) => {
        const message = 'The state of the checkout could not be followed; see the cause.';
        show({ status: 'error', error: new RampError('ERR_NETWORK', message, { cause }) });
      });
    return () => controller.abort();
  }, [reference, api, credentials, sent]);
  // Of another checkout: the effect that clears it has not run yet.
  return state.of === reference ? state : { ...idle, status: reference ? 'loading' : 'idle' };
}
