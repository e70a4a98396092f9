import { expect, it } from 'vitest';
import { mistakes } from './mistakes.js';

/** The message that the developer sees, and the values of the placeholders in {@link mistakes}. */
export interface ShownMessage {
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Defines a test that a mistake causes exactly its message in {@link mistakes}.
 *
 * @param make - Makes the mistake. Returns the message that the developer sees.
 */
export function testMistake(
  number: number,
  make: () => ShownMessage | string | Promise<ShownMessage | string>,
): void {
  const row = mistakes.find((mistake) => mistake.number === number);
  if (!row) throw new Error(`Mistake ${number} is missing in the table.`);
  it(`explains mistake ${number}: ${row.mistake}`, async () => {
    const shown = await make();
    const { text, values } = typeof shown === 'string' ? { text: shown, values: {} } : shown;
    expect(text).toBe(fillPlaceholders(row.message, values));
  }, 60_000);
}

/** Replaces each placeholder `{name}` that has a value. */
function fillPlaceholders(message: string, values: ShownMessage['values']): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
