import type { StatusMessages } from '../../messages/StatusMessages.js';
import type { StatusView } from './statusView.js';
import type { Step } from './stepsOf.js';

const words = {
  done: 'stepDone',
  now: 'stepNow',
  held: 'stepHeld',
  next: 'stepNext',
} as const satisfies Record<Step['state'], keyof StatusMessages>;

/** The steps on their line. What their marks say by shape and colour, words say too. */
export function StatusSteps({ steps, view }: { steps: readonly Step[]; view: StatusView }) {
  const { messages, time } = view;
  return (
    <ol className="ramp-status-steps">
      {steps.map(({ name, state, at }) => {
        const written = time(at);
        return (
          <li
            key={name}
            data-step={state}
            aria-current={state === 'now' || state === 'held' ? 'step' : undefined}
          >
            <span className="ramp-status-mark" aria-hidden="true" />
            <span className="ramp-status-step">{messages[name]}</span>{' '}
            <span className="ramp-status-at">
              <span className={written ? 'ramp-status-hidden' : undefined}>
                {messages[words[state]]}
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
