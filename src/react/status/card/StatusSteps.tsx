import type { StatusMessages } from '../../../messages/StatusMessages.js';
import type {
  CheckoutProgress,
  CheckoutResponse,
} from '../../../protocol/handler/CheckoutResponse.js';
import type { StatusView } from './statusView.js';

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
                {messages[stepMessages[state]]}
              </span>
              {formatted && (
                <>
                  {' '}
                  <time dateTime={formatted.iso}>{formatted.text}</time>
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
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
  nft: ['stepPayment', 'stepPurchase', 'stepHandover', 'stepSettlement'],
} as const;

/** How many steps are done at each progress. For an on-ramp checkout, getCheckoutSteps() turns 2 and more into 3. */
const stepsDone: Readonly<Record<CheckoutProgress, number>> = {
  waiting: 0,
  expired: 0,
  unconfirmed: 1,
  review: 1,
  finished: 2,
  settlement: 3,
  settled: 4,
};

/**
 * Returns the steps of a checkout. `finished` means that an on-ramp order is delivered, but that an NFT is only paid.
 * An NFT is handed over at `settlement`, and its last step is done at `settled`. With several orders the steps have
 * no times, because each order has its own.
 */
export function getCheckoutSteps({
  widget,
  progress,
  orders,
}: CheckoutResponse): readonly CheckoutStep[] {
  const isNft = widget === 'nft';
  const done = !isNft && stepsDone[progress] >= 2 ? 3 : stepsDone[progress];
  const present = progress === 'expired' || progress === 'review' ? 'on-hold' : 'current';
  const [order, ...others] = orders;
  const times: readonly (number | undefined)[] =
    !order || others.length > 0
      ? []
      : isNft
        ? [
            order.payTime,
            order.finishTime,
            order.state === 'settlement' ? order.changedAt : undefined,
            order.state === 'settled' ? order.changedAt : undefined,
          ]
        : [order.payTime, order.deliverTime, order.finishTime];
  return stepNames[isNft ? 'nft' : 'on-ramp'].map((name, i) => ({
    name,
    state: i < done ? 'done' : i === done ? present : 'upcoming',
    at: i < done ? times[i] : undefined,
  }));
}
