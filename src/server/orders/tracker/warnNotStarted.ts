import { warnDeveloper } from '../../internal/warnDeveloper.js';

let hasWarned = false;

/** Warns once in development that a tracker is used but was never started, unless it may not use timers. */
export function warnNotStarted({ timers }: { timers: boolean }, consequence: string): void {
  if (hasWarned || !timers) return;
  hasWarned = true;
  warnDeveloper(
    `${consequence} Call tracker.start() once when your server starts. In serverless functions, create the tracker with timers: false and call tracker.sync() from a scheduled job.`,
  );
}
