import { logError } from './logError.js';

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
