import { isRampError } from '../../protocol/errors/isRampError.js';
import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';
import type { Runtime } from './runtime.js';

const MINUTE_MS = 60_000;
/** A stranger chooses some kinds, such as the origin of a request. */
const MAX_KINDS = 20;

/** Logs an error of a backend that does not listen for errors, so that the error is not lost. */
export function logError(error: unknown): void {
  // Node.js prints the property `docs` of an error, which has none under NODE_ENV=production.
  const docs = isRampError(error) && !error.docs ? [getErrorDocsUrl(error.code)] : [];
  // biome-ignore lint/suspicious/noConsole: the only logger that every backend has
  console.error('[partner-ramp]', error, ...docs);
}

/**
 * Creates a function that returns whether to report an event of this kind: each kind at most once a minute,
 * and at most 20 kinds a minute.
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

/** Notes the `onError` of a handler, for the adapters: they fail outside of it. */
export function addErrorListener<Handler extends object>(handler: Handler, onError: Listener) {
  listeners.set(handler, onError);
  return handler;
}

/** Calls the `onError` of a handler. A function that wraps a handler has none, so its errors are logged. */
export const reportToHandler = (handler: object, error: unknown): void =>
  (listeners.get(handler) ?? logError)(error);
