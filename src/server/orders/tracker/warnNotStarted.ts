import { warnDeveloper } from '../../internal/warnDeveloper.js';

let hasWarned = false;

/** Warns once in development that a tracker is used but was never started. */
export function warnNotStarted(consequence: string): void {
  if (hasWarned) return;
  hasWarned = true;
  warnDeveloper(
    `${consequence} Call tracker.start() once when your server starts. In serverless functions, also call tracker.sync() from a scheduled job.`,
  );
}
