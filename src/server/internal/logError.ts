/** Logs an error of a backend that does not listen for errors, so that the error is not lost. */
export function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only logger that every backend has
  console.error('[partner-ramp]', error);
}
