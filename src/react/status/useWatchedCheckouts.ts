import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { isTerminal } from '../../protocol/handler/progress.js';
import { useWatched } from '../useWatched.js';

interface WatchedCheckout {
  readonly checkout: CheckoutResponse;
  /** Whether the checkout was already terminal when this component first had its state. */
  readonly wasTerminal: boolean;
}

/** The checkouts whose state is known, by reference. */
export type WatchedCheckouts = Readonly<Record<string, WatchedCheckout>>;

interface WatchedState {
  readonly known: WatchedCheckouts;
  readonly error?: RampError | undefined;
}

const none: WatchedState = { known: {} };

/** Watches several checkouts while the component is mounted. The card of each reports its errors. */
export function useWatchedCheckouts(
  references: readonly string[],
  settings: BackendSettings,
): WatchedCheckouts {
  const { state } = useWatched(
    references.length > 0 ? references : undefined,
    settings,
    none,
    ({ watchCheckout }, getBackend, update) => {
      const onChange = (checkout: CheckoutResponse) =>
        update(({ known }) => {
          const { reference } = checkout;
          const wasTerminal = known[reference]?.wasTerminal ?? isTerminal(checkout);
          return { known: { ...known, [reference]: { checkout, wasTerminal } } };
        });
      const watches = references.map((reference) =>
        watchCheckout(getBackend, reference, { onChange, onError() {} }),
      );
      return {
        retry() {
          for (const watch of watches) watch.retry();
        },
        end() {
          for (const watch of watches) watch.end();
        },
      };
    },
  );
  return state.known;
}
