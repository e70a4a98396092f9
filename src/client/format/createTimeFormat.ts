import { toSupportedLocale } from './createAmountFormats.js';

export interface FormattedTime {
  /** A short form, such as `14:03`. The day is added unless it is today, and the year unless it is this year. */
  readonly text: string;
  /** ISO 8601 in UTC, for the attribute `datetime`. */
  readonly iso: string;
}

/**
 * Creates a function that formats Unix seconds in the given language and in the browser's time zone.
 *
 * @param nowMs - The current Unix time in milliseconds. It decides whether a formatted time is today.
 * @returns A function that returns `undefined` for an invalid time. With `isWhole`, it always adds the day and year.
 */
export function createTimeFormat(
  language: string,
  nowMs: number,
): (seconds: number | undefined, isWhole?: boolean) => FormattedTime | undefined {
  const locale = toSupportedLocale(language);
  const now = new Date(nowMs);
  return (seconds, isWhole) => {
    const date = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
    if (Number.isNaN(date.getTime())) return undefined;
    const isThisYear = date.getFullYear() === now.getFullYear();
    const isToday = date.toDateString() === now.toDateString();
    const format = new Intl.DateTimeFormat(locale, {
      ...(isToday && !isWhole ? {} : { day: 'numeric', month: 'short' }),
      ...(isThisYear && !isWhole ? {} : { year: 'numeric' }),
      hour: 'numeric',
      minute: '2-digit',
    });
    return { text: format.format(date), iso: date.toISOString() };
  };
}
