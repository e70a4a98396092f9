import type { SandboxFaultOptions, SandboxFaults } from '../../../src/sandbox/faults.js';
import { parseSandboxOptions } from '../../../src/sandbox/parseSandboxOptions.js';

/** Creates the faults of a sandbox: none, except those of `options`. */
export function createFaults(options: SandboxFaultOptions = {}): SandboxFaults {
  const { latencyMs, apiFault, webhookFault, faultRate, quirks } = parseSandboxOptions(options);
  return { latencyMs, apiFault, webhookFault, faultRate, quirks };
}
