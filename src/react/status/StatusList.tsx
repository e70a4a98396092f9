import {
  type ComponentType,
  type ForwardedRef,
  type RefAttributes,
  useEffect,
  useId,
  useState,
  useSyncExternalStore,
} from 'react';
import type { BackendConnection } from '../../client/backend/fetchBackend.js';
import { focusCard } from '../../client/focusCard.js';
import { createStatusView, describeStatus } from '../../client/status/statusView.js';
import {
  getOpenedCheckouts,
  subscribeOpenedCheckouts,
} from '../../client/stores/openedCheckouts.js';
import { statusEnglish } from '../../messages/StatusMessages.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { RampSettings } from '../provider/RampProvider.js';
import type { CheckoutStatusProps, StatusCardProps } from './CheckoutStatus.js';
import { useWatchedCheckouts, type WatchedCheckouts } from './useWatchedCheckouts.js';

interface StatusListProps extends CheckoutStatusProps {
  /** The card of one checkout. It is passed in instead of imported, so that its code stays in the entry chunk. */
  readonly card: ComponentType<StatusCardProps & RefAttributes<HTMLDivElement>>;
  readonly cardRef: ForwardedRef<HTMLDivElement>;
  // The settings are passed in too. If this chunk imported a module of the entry chunk, such as fetchBackend.ts,
  // esbuild would move it to a shared file, and every page would load one more file at start.
  readonly settings: RampSettings & BackendConnection;
}

/**
 * Shows the card of one checkout, and the other checkouts of this tab in a list below. The card shows the newest
 * checkout that was not terminal when this page first read it, or else the newest. The shopper can choose another.
 */
export function StatusList(props: StatusListProps) {
  const { card: Card, cardRef, settings, ...cardProps } = props;
  const read = () => getOpenedCheckouts(settings.api);
  const references = useSyncExternalStore(subscribeOpenedCheckouts, read, read);
  const checkouts = useWatchedCheckouts(references, settings);
  const [choice, setChoice] = useState<Choice>();
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production' && settings.api == null)
      import('../../client/dev/warnInDev.js').then(({ warnMissingApi }) => warnMissingApi());
  }, [settings.api]);
  const shown = selectReference(references, checkouts, choice);
  const unshown = references.filter((reference) => reference !== shown);
  return (
    <Card
      {...cardProps}
      ref={cardRef}
      reference={shown}
      others={
        <OtherCheckouts
          checkouts={unshown.flatMap((reference) => checkouts[reference]?.checkout ?? [])}
          settings={settings}
          locale={props.locale}
          onShow={(reference) => setChoice({ reference, newest: references[0] })}
        />
      }
    />
  );
}

/**
 * The checkout that the shopper chose to see. The choice ends when a checkout is opened that is newer than `newest`.
 */
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

interface OtherCheckoutsProps {
  readonly checkouts: readonly CheckoutResponse[];
  readonly settings: Pick<RampSettings, 'messages' | 'language'>;
  readonly locale: string | undefined;
  readonly onShow: (reference: string) => void;
}

/** The shopper's other checkouts, one line each: the state, amount and time if they are known, and a button. */
function OtherCheckouts({ checkouts, settings, locale, onShow }: OtherCheckoutsProps) {
  const id = useId();
  if (checkouts.length === 0) return null;
  const messages = { ...statusEnglish, ...settings.messages };
  return (
    <div className="ramp-status-others">
      <p id={id} className="ramp-status-order">
        {messages.otherOrders}
      </p>
      <ul aria-labelledby={id}>
        {checkouts.map((checkout) => {
          const view = createStatusView({ data: checkout }, messages, locale || settings.language);
          const [title] = describeStatus(view);
          const { currencyAmount, fiatCurrency, payTime, finishTime } = checkout.orders[0] ?? {};
          const amount =
            currencyAmount && fiatCurrency && view.formats.money(currencyAmount, fiatCurrency);
          const at = view.time(payTime ?? finishTime);
          const lineId = `${id}-${checkout.reference}`;
          return (
            <li key={checkout.reference}>
              <span id={lineId}>
                <span>{`${title} `}</span>
                {amount && <bdi>{`${amount} `}</bdi>}
                {at && <time dateTime={at.iso}>{at.text}</time>}
              </span>
              <button
                type="button"
                className="ramp-status-retry"
                aria-describedby={lineId}
                onClick={({ currentTarget }) => {
                  focusCard(currentTarget);
                  onShow(checkout.reference);
                }}
              >
                {messages.showOrder}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
