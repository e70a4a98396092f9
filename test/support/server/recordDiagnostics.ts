import { channel, tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import type { DiagnosticsMessages } from '../../../src/server/index.js';

type Name = keyof DiagnosticsMessages;

/** A message that was published, with the fields that it had at that moment. */
export interface PublishedMessage {
  readonly name: Name;
  readonly phase: 'start' | 'end' | 'asyncStart' | 'asyncEnd' | 'error' | 'publish';
  readonly message: Readonly<Record<string, unknown>>;
  /** The message as a log prints it, with every field that is reachable from it. */
  readonly text: string;
}

const traced = [
  'partner-ramp:checkout',
  'partner-ramp:signature',
  'partner-ramp:quote',
  'partner-ramp:webhook',
  'partner-ramp:sync',
  'partner-ramp:delivery',
] as const;

/**
 * Subscribes to all channels until the end of the test. `ended` returns the messages of a channel when its operations
 * had ended, without their durations.
 */
export function recordDiagnostics() {
  const published: PublishedMessage[] = [];
  const listen = (name: Name, phase: PublishedMessage['phase']) => (message: unknown) => {
    const text = inspect(message, { depth: 20, showHidden: true });
    published.push({ name, phase, message: { ...(message as object) }, text });
  };
  for (const name of traced) {
    const listeners = Object.fromEntries(
      (['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const).map((phase) => [
        phase,
        listen(name, phase),
      ]),
    );
    tracingChannel(name).subscribe(listeners as never);
    onTestFinished(() => void tracingChannel(name).unsubscribe(listeners as never));
  }
  const orderChange = listen('partner-ramp:order-change', 'publish');
  channel('partner-ramp:order-change').subscribe(orderChange);
  onTestFinished(() => void channel('partner-ramp:order-change').unsubscribe(orderChange));

  const lastPhase = (name: Name) => (name === 'partner-ramp:order-change' ? 'publish' : 'asyncEnd');
  return {
    published,
    ended: (name: Name) =>
      published
        .filter((one) => one.name === name && one.phase === lastPhase(name))
        .map(({ message: { durationMs: _, ...message } }) => message),
  };
}
