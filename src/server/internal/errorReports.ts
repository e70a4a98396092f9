import { isRampError } from '../../protocol/errors/isRampError.js';
import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';
import type { Runtime } from './runtime.js';

const MINUTE_MS = 60_000;
/**
 * At most this many kinds of events are reported per minute, because strangers can choose some kinds, such as the
 * origin of a request.
 */
const MAX_KINDS = 20;

/** Logs an error if the backend passed no `onError`, so that the error is not lost. */
export function logError(error: unknown): void {
  // Node.js prints the `docs` of an error. Under NODE_ENV=production a RampError has no `docs`, so print the URL
  // separately.
  const docs = isRampError(error) && !error.docs ? [getErrorDocsUrl(error.code)] : [];
  // biome-ignore lint/suspicious/noConsole: the only logger that every backend has
  console.error('[partner-ramp]', error, ...docs);
}

/**
 * Wraps one of the partner's listeners, such as `onError`. If it throws, or returns a promise that rejects, that
 * neither affects a response nor ends the process.
 */
export const isolateListener =
  <E>(listener: (error: E) => unknown): ((error: E) => void) =>
  async (error) => {
    try {
      await listener(error);
    } catch {}
  };

/**
 * Creates a function that decides whether to report an event of the given kind. It returns true at most once a minute
 * for each kind, and for at most 20 kinds a minute.
 */
export function createReportLimit({
  monotonic,
}: Pick<Runtime, 'monotonic'>): (kind: string) => boolean {
  /** When each kind was reported, oldest first. */
  const reported = new Map<string, number>();
  return (kind) => {
    const now = monotonic();
    for (const [old, at] of reported) {
      if (now - at < MINUTE_MS) break;
      reported.delete(old);
    }
    if (reported.has(kind) || reported.size >= MAX_KINDS) return false;
    reported.set(kind, now);
    return true;
  };
}

type Listener = (error: unknown) => void;

const listeners = new WeakMap<object, Listener>();

/**
 * Stores a handler's `onError` for `toExpress` and `toNodeHandler`, which report errors that occur outside the handler.
 */
export function addErrorListener<Handler extends object>(handler: Handler, onError: Listener) {
  listeners.set(handler, onError);
  return handler;
}

/**
 * Calls a ramp handler's `onError`. If `handler` is a function around a ramp handler, the `onError` is unknown, so the
 * error is logged.
 */
export const reportToHandler = (handler: object, error: unknown): void =>
  (listeners.get(handler) ?? logError)(error);
