import { expect, it } from 'vitest';
import { mistakes } from './mistakes.js';

/** What the developer reads, with the values of the placeholders in the table. */
export interface Shown {
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Defines the test of one row: making the mistake shows the message of the table, in full.
 *
 * @param make - Makes the mistake and returns what the developer reads.
 */
export function itShows(
  number: number,
  make: () => Shown | string | Promise<Shown | string>,
): void {
  const row = mistakes.find((mistake) => mistake.number === number);
  if (!row) throw new Error(`The table has no mistake ${number}.`);
  it(`explains mistake ${number}: ${row.mistake}`, async () => {
    const shown = await make();
    const { text, values } = typeof shown === 'string' ? { text: shown, values: {} } : shown;
    expect(text).toBe(filled(row.message, values));
  }, 60_000);
}

/** Replaces each `{name}` of the table by its value. */
function filled(message: string, values: Shown['values']): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
