import { toSupportedLocale } from './createAmountFormats.js';

/** A formatted time. */
export interface FormattedTime {
  /** The short form: `14:03`, with the day unless it is today, and with the year unless it is this year. */
  readonly text: string;
  /** The ISO 8601 form. */
  readonly iso: string;
}

/**
 * Creates a function that formats Unix seconds in a language and the time zone of the browser.
 *
 * @param nowMs - The present time in milliseconds, which decides whether a time is today.
 * @returns A function that returns `undefined` for an invalid time.
 */
export function createTimeFormat(
  language: string,
  nowMs: number,
): (seconds: number | undefined) => FormattedTime | undefined {
  const locale = toSupportedLocale(language);
  const now = new Date(nowMs);
  return (seconds) => {
    const date = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
    if (Number.isNaN(date.getTime())) return undefined;
    const isThisYear = date.getFullYear() === now.getFullYear();
    const isToday = date.toDateString() === now.toDateString();
    const format = new Intl.DateTimeFormat(locale, {
      ...(isToday ? {} : { day: 'numeric', month: 'short' }),
      ...(isThisYear ? {} : { year: 'numeric' }),
      hour: 'numeric',
      minute: '2-digit',
    });
    return { text: format.format(date), iso: date.toISOString() };
  };
}
