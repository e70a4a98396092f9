import { formatTime } from './texts.js';

/** Shows a time given in Unix seconds, on one line. */
export function Time({ at, seconds = false }: { at: number; seconds?: boolean }) {
  const date = new Date(at * 1000);
  return (
    <time className="time" dateTime={date.toISOString()} title={date.toString()}>
      {formatTime(at, { seconds })}
    </time>
  );
}
