/**
 * A local implementation of the service for development: offline, on loopback, with new keys at each
 * start.
 *
 * @module
 */
export { RampError, type RampErrorCode, type RampIssue } from '../protocol/errors/RampError.js';
export type { SandboxNftDetails, SandboxOrder } from './orders.js';
export type {
  SandboxOptions,
  SandboxQuirkOptions,
  SandboxQuirks,
  WebhookFault,
} from './parseSandboxOptions.js';
export { type Sandbox, startSandbox } from './startSandbox.js';
