import { useEffect, useState } from 'react';
import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import { getOpenedCheckouts } from '../../client/pageCheckouts.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { isTerminal } from '../../protocol/handler/progress.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { usePageCheckouts } from '../usePageCheckouts.js';
import { useWatched } from '../useWatched.js';

/** The checkouts that this tab has opened: one for a card, and the others for the list below it. */
interface TabCheckouts {
  /**
   * The checkout that the card shows: the newest that was not terminal when this page first read it, or else the
   * newest. The shopper can choose another.
   */
  readonly shown: string | undefined;
  /** The other checkouts whose state is known, newest first. */
  readonly others: readonly CheckoutResponse[];
  /** Shows another checkout, until a newer one is opened. */
  readonly choose: (reference: string) => void;
}

const none: readonly string[] = [];

/**
 * Returns the checkouts that this tab has opened, and watches them.
 *
 * @param widget - Limits the result to this widget's checkouts. By default, it covers both widgets.
 */
export function useTabCheckouts(
  isWanted: boolean,
  widget: Widget | undefined,
  settings: BackendSettings,
): TabCheckouts {
  const { api } = settings;
  const opened = usePageCheckouts(() => (isWanted ? getOpenedCheckouts(api) : none), none);
  const checkouts = useWatchedCheckouts(opened, settings);
  const references = opened.filter(
    (reference) => !widget || checkouts[reference]?.checkout.widget === widget,
  );
  const [choice, setChoice] = useState<Choice>();
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production' && isWanted && api == null)
      import('../../client/dev/warnInDev.js').then(({ warnMissingApi }) => warnMissingApi());
  }, [isWanted, api]);
  const shown = selectReference(references, checkouts, choice);
  return {
    shown,
    others: references.flatMap((reference) =>
      reference === shown ? [] : (checkouts[reference]?.checkout ?? []),
    ),
    choose: (reference) => setChoice({ reference, newest: references[0] }),
  };
}

/** The checkout that the shopper chose to see. The choice ends when a checkout newer than `newest` is opened. */
interface Choice {
  readonly reference: string;
  readonly newest: string | undefined;
}

function selectReference(
  references: readonly string[],
  checkouts: WatchedCheckouts,
  choice: Choice | undefined,
): string | undefined {
  const [newest] = references;
  if (choice && choice.newest === newest && references.includes(choice.reference))
    return choice.reference;
  // Show the newest checkout until all have loaded. Otherwise a checkout that ended long ago would count as open until
  // its state arrives, and the card would show one checkout after another.
  if (!references.every((reference) => checkouts[reference])) return newest;
  // `wasTerminal` stays false for a checkout that ends while it is shown, so that the shopper sees its result.
  return references.find((reference) => !checkouts[reference]?.wasTerminal) ?? newest;
}

interface WatchedCheckout {
  readonly checkout: CheckoutResponse;
  /** Whether the checkout was already terminal when this component first had its state. */
  readonly wasTerminal: boolean;
}

/** The checkouts whose state is known, by reference. */
type WatchedCheckouts = Readonly<Record<string, WatchedCheckout>>;

interface WatchedState {
  readonly known: WatchedCheckouts;
  readonly error?: RampError | undefined;
}

const unknown: WatchedState = { known: {} };

/**
 * Watches several checkouts while the component is mounted. Errors are ignored here, because the card reports those of
 * the checkout it shows.
 */
function useWatchedCheckouts(
  references: readonly string[],
  settings: BackendSettings,
): WatchedCheckouts {
  // A changed list starts new watches. Until they report, keep what is known.
  const [last, setLast] = useState(unknown);
  const { state } = useWatched(
    references.length > 0 ? references : undefined,
    settings,
    last,
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
  useEffect(() => setLast(state), [state]);
  return state.known;
}
