import type { HandlerSettings } from '../../HandlerSettings.js';

export interface StreamLimit {
  /**
   * Counts one more stream of a subject.
   *
   * @returns What ends the count, to be called once; undefined when there are too many streams.
   */
  acquire(subject: string): (() => void) | undefined;
}

/** Limits the event streams that are open at once, of each subject and of all. */
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
