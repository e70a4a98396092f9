import type { StatusMessages } from '../../../messages/StatusMessages.js';
import type { StatusView } from './createStatusView.js';
import type { CheckoutStep } from './getCheckoutSteps.js';

const stepMessages = {
  done: 'stepDone',
  current: 'stepInProgress',
  'on-hold': 'stepOnHold',
  upcoming: 'stepUpcoming',
} as const satisfies Record<CheckoutStep['state'], keyof StatusMessages>;

/** The list of steps. The state of each marker is also there as text. */
export function StatusSteps({ steps, view }: { steps: readonly CheckoutStep[]; view: StatusView }) {
  const { messages, time } = view;
  return (
    <ol className="ramp-status-steps">
      {steps.map(({ name, state, at }) => {
        const written = time(at);
        return (
          <li
            key={name}
            data-step={state}
            aria-current={state === 'current' || state === 'on-hold' ? 'step' : undefined}
          >
            <span className="ramp-status-marker" aria-hidden="true" />
            <span className="ramp-status-step">{messages[name]}</span>{' '}
            <span className="ramp-status-time">
              <span className={written ? 'ramp-visually-hidden' : undefined}>
                {messages[stepMessages[state]]}
              </span>
              {written && (
                <>
                  {' '}
                  <time dateTime={written.iso}>{written.text}</time>
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
