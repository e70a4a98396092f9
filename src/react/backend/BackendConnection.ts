import type { BackendSettings } from './BackendSettings.js';
import type { requestBackend } from './requestBackend.js';

/**
 * The settings of the backend, and the function that sends requests with them. Lazy parts of the code get it passed
 * in and do not import it: bundlers move a module that several parts import out of the first part, so every page with
 * a button would load one more file at once.
 */
export interface BackendConnection extends BackendSettings {
  /** Sends a request to the backend. */
  readonly request: typeof requestBackend;
}
