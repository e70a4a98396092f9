/**
 * The service itself, for development: offline, on loopback, with keys it makes at each start.
 *
 * @module
 */
export { RampError, type RampErrorCode, type RampIssue } from '../protocol/ramp-error.js';
export type { SandboxNftDetails } from './nft-details.js';
export type { SandboxOrder } from './SandboxOrder.js';
export type { SandboxOptions } from './sandbox-options.js';
export type { SandboxQuirks } from './sandbox-quirks.js';
export { type Sandbox, startSandbox } from './start-sandbox.js';
export type { WebhookFault } from './webhooks/webhook-fault.js';
