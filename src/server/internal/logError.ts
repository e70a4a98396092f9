/** What hears of errors that a backend has no listener for: silence would be looked for in the page. */
export function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: there is no logger that every backend has
  console.error('[partner-ramp]', error);
}

/** Warns the developer of a backend, except in production. */
export function warnDeveloper(message: string): void {
  // biome-ignore lint/suspicious/noConsole: see above
  if (process.env.NODE_ENV !== 'production') console.warn(`[partner-ramp] ${message}`);
}
