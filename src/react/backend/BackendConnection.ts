import type { BackendSettings } from './BackendSettings.js';
import type { requestBackend } from './requestBackend.js';

/**
 * The settings of the backend, and the function that sends requests with them. Lazy chunks get it passed in
 * instead of importing it: bundlers move a module that several chunks import out of the first chunk, so
 * every page with a button would load one more file.
 */
export interface BackendConnection extends BackendSettings {
  /** Sends a request to the ramp handler. */
  readonly request: typeof requestBackend;
}
