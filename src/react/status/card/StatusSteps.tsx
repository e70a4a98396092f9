import type { StatusMessages } from '../../../messages/StatusMessages.js';
import type { StatusView } from './createStatusView.js';
import type { CheckoutStep } from './getCheckoutSteps.js';

const stepMessages = {
  done: 'stepDone',
  current: 'stepInProgress',
  'on-hold': 'stepOnHold',
  upcoming: 'stepUpcoming',
} as const satisfies Record<CheckoutStep['state'], keyof StatusMessages>;

/** The steps on their line. What their marks say by shape and colour, words say too. */
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
