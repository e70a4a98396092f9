import { toSupportedLocale } from './createAmountFormats.js';

export interface FormattedTime {
  /** As short as it is clear: `14:03`, with the day unless it is today, with another year's number. */
  readonly text: string;
  /** For machines. */
  readonly iso: string;
}

/**
 * How one reader's language and time zone write a moment.
 *
 * @param nowMs - To tell what is today.
 * @returns Writes Unix seconds; nothing for what is no time.
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
