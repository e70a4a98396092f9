import { toSupportedLocale } from './createAmountFormats.js';
import { createCache } from './createCache.js';

export interface FormattedTime {
  /** A short form, such as `14:03`. The day is added unless it is today, and the year unless it is this year. */
  readonly text: string;
  /** ISO 8601 in UTC, for the attribute `datetime`. */
  readonly iso: string;
}

/**
 * Creates a function that formats Unix seconds in the given language and in the browser's time zone.
 *
 * @param nowMs - The current Unix time in milliseconds. It decides whether a formatted time counts as today.
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
    const hasDay = !isToday || isWhole;
    const hasYear = !isThisYear || isWhole;
    const format = getDateFormat(`${hasDay ? 'day' : ''} ${hasYear ? 'year' : ''} ${locale}`);
    return { text: format.format(date), iso: date.toISOString() };
  };
}

/** Returns the format for a key, which names the date parts and the locale. */
const getDateFormat = /* @__PURE__ */ createCache((key) => {
  const [day, year, locale] = key.split(' ');
  return new Intl.DateTimeFormat(locale, {
    ...(day && { day: 'numeric', month: 'short' }),
    ...(year && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  });
});
