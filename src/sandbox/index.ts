/**
 * A local implementation of the service for development: offline, on loopback, with its own keys.
 *
 * @module
 */
export { RampError, type RampErrorCode, type RampIssue } from '../protocol/errors/RampError.js';
export type { SandboxPayment } from './checkout/payInWidget.js';
export type {
  ApiFault,
  SandboxFaultOptions,
  SandboxFaults,
  SandboxQuirkOptions,
  SandboxQuirks,
  WebhookFault,
} from './faults.js';
export type { SandboxNftDetails, SandboxOrder } from './orders.js';
export type { SandboxOptions } from './parseSandboxOptions.js';
export { type Sandbox, startSandbox } from './startSandbox.js';
