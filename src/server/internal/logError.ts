/** Logs an error of a backend that has no listener for errors, so that it is not lost. */
export function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: there is no logger that every backend has
  console.error('[partner-ramp]', error);
}
