import { getErrorDocsUrl, isRampError } from '../../protocol/errors/RampError.js';

/** Logs an error of a backend that does not listen for errors, so that the error is not lost. */
export function logError(error: unknown): void {
  // Node.js prints the property `docs` of an error, which has none under NODE_ENV=production.
  const docs = isRampError(error) && !error.docs ? [getErrorDocsUrl(error.code)] : [];
  // biome-ignore lint/suspicious/noConsole: the only logger that every backend has
  console.error('[partner-ramp]', error, ...docs);
}
