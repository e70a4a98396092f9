import type { StatusView } from '../../../client/status/statusView.js';
import type { StatusMessages } from '../../../messages/StatusMessages.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { countDoneSteps, isActive } from '../../../protocol/handler/progress.js';

const stepMessages = {
  done: 'stepDone',
  current: 'stepInProgress',
  'on-hold': 'stepOnHold',
  upcoming: 'stepUpcoming',
} as const satisfies Record<CheckoutStep['state'], keyof StatusMessages>;

/** The list of steps. The state that a marker shows is also given as text, for screen readers. */
export function StatusSteps({ checkout, view }: { checkout: CheckoutResponse; view: StatusView }) {
  const { messages, time } = view;
  return (
    <ol className="ramp-status-steps">
      {getCheckoutSteps(checkout).map(({ name, state, at }) => {
        const formatted = time(at);
        return (
          <li
            key={name}
            data-step={state}
            aria-current={state === 'current' || state === 'on-hold' ? 'step' : undefined}
          >
            <span className="ramp-status-marker" aria-hidden="true" />
            <span className="ramp-status-step">{messages[name]}</span>{' '}
            <span className="ramp-status-time">
              <span className={formatted ? 'ramp-visually-hidden' : undefined}>
                {messages[stepMessages[state]] + (formatted ? ' ' : '')}
              </span>
              {formatted && <time dateTime={formatted.iso}>{formatted.text}</time>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** One line about the settlement of an NFT, with the time of its last change. */
export function SettlementLine({
  checkout,
  view,
}: {
  checkout: CheckoutResponse;
  view: StatusView;
}) {
  const { progress, orders } = checkout;
  if (progress !== 'settlement' && progress !== 'settled') return null;
  const [order, ...others] = orders;
  const at = others.length > 0 ? undefined : view.time(order?.changedAt);
  return (
    <p className="ramp-status-settlement">
      <span>{`${view.messages[progress === 'settled' ? 'settled' : 'settling']} `}</span>
      {at && <time dateTime={at.iso}>{at.text}</time>}
    </p>
  );
}

interface CheckoutStep {
  readonly name: Extract<keyof StatusMessages, `step${string}`>;
  readonly state: 'done' | 'current' | 'on-hold' | 'upcoming';
  /** When the step was done, in Unix seconds, if it is known. */
  readonly at: number | undefined;
}

const stepNames = {
  'on-ramp': ['stepPayment', 'stepTransfer', 'stepDelivery'],
  nft: ['stepPayment', 'stepConfirmation'],
} as const;

/**
 * Returns the steps that the shopper sees for a checkout. An NFT's settlement is not one of them, because it concerns
 * only the service and the partner. With several orders the steps have no times, because each order has its own times.
 */
export function getCheckoutSteps(checkout: CheckoutResponse): readonly CheckoutStep[] {
  const { widget, orders } = checkout;
  const isNft = widget === 'nft';
  const names = stepNames[isNft ? 'nft' : 'on-ramp'];
  const done = countDoneSteps(checkout, names.length);
  const present = isActive(checkout) ? 'current' : 'on-hold';
  const [order, ...others] = orders;
  const times: readonly (number | undefined)[] =
    !order || others.length > 0
      ? []
      : isNft
        ? [order.payTime, order.finishTime]
        : [order.payTime, order.deliverTime, order.finishTime];
  return names.map((name, i) => ({
    name,
    state: i < done ? 'done' : i === done ? present : 'upcoming',
    at: i < done ? times[i] : undefined,
  }));
}
