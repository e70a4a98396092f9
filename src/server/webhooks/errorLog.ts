import { createReportLimit, logError } from '../internal/errorReports.js';
import type { Runtime } from '../internal/runtime.js';
import { isOwnFault, isWebhookError } from './WebhookError.js';

/**
 * Creates the error log for a handler without `onError`. Anyone can send webhooks with a wrong signature, so each
 * reason for a refusal is logged at most once a minute.
 */
export function createErrorLog(runtime: Pick<Runtime, 'monotonic'>): (error: unknown) => void {
  const isDue = createReportLimit(runtime);
  return (error) => {
    if (!isWebhookError(error) || isOwnFault(error)) logError(error);
    else if (isDue(error.reason)) logError(`${error.name}: ${error.message}`);
  };
}
