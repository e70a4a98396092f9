/** Warns the developer of a backend, except in production. */
export function warnDeveloper(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the only logger that every backend has
  if (process.env.NODE_ENV !== 'production') console.warn(`[partner-ramp] ${message}`);
}
