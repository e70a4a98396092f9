/**
 * A local implementation of the service for development: offline, on loopback, with new keys at each
 * start.
 *
 * @module
 */
export { RampError, type RampErrorCode, type RampIssue } from '../protocol/errors/RampError.js';
export type { SandboxQuirkOptions, SandboxQuirks } from './api/SandboxQuirks.js';
export type { SandboxNftDetails } from './orders/SandboxNftDetails.js';
export type { SandboxOrder } from './orders/SandboxOrder.js';
export type { SandboxOptions } from './parseSandboxOptions.js';
export { type Sandbox, startSandbox } from './startSandbox.js';
export type { WebhookFault } from './webhooks/WebhookFault.js';
