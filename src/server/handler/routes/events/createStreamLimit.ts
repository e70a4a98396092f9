import type { HandlerSettings } from '../../HandlerSettings.js';

/** A limit of open event streams. */
export interface StreamLimit {
  /**
   * Counts one more stream of a subject.
   *
   * @returns A function to call once when the stream ends, or undefined if too many streams are open.
   */
  acquire(subject: string): (() => void) | undefined;
}

/** Creates a limit of concurrent event streams, per subject and in total. */
export function createStreamLimit(max: HandlerSettings<never>['maxStreams']): StreamLimit {
  const streams = new Map<string, number>();
  let total = 0;
  return {
    acquire(subject) {
      const count = streams.get(subject) ?? 0;
      if (total >= max.total || count >= max.perSubject) return undefined;
      streams.set(subject, count + 1);
      total++;
      return () => {
        total--;
        const left = (streams.get(subject) ?? 1) - 1;
        if (left > 0) streams.set(subject, left);
        else streams.delete(subject);
      };
    },
  };
}
