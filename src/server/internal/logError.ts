/** What hears of errors that a backend has no listener for: silence would be looked for in the page. */
export function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: there is no logger that every backend has
  console.error('[partner-ramp]', error);
}
