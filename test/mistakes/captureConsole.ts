import { vi } from 'vitest';

/** Matches the URL at the end of messages with a code. warnInDev.isolated.test.ts tests this URL. */
const DOCS_URL = / https:\/\/\S+\/docs\/errors\.md#err_\w+/g;

/**
 * Runs `make`, and returns what the package printed with `console.warn` and `console.error`. Removes stack traces and
 * the URLs of the documentation.
 */
export async function captureConsole(make: () => unknown): Promise<string> {
  const lines: string[] = [];
  const print = (...values: unknown[]) => {
    if (String(values[0]).startsWith('[partner-ramp]'))
      lines.push(values.map(formatValue).join(' '));
  };
  const spies = (['warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(print),
  );
  try {
    await make();
    await vi.waitFor(() => {
      if (lines.length === 0) throw new Error('The console stayed empty for 10 seconds.');
    }, 10_000);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines.join('\n').replaceAll(DOCS_URL, '');
}

function formatValue(value: unknown): string {
  if (!(value instanceof Error)) return String(value);
  const cause = value.cause === undefined ? '' : ` [cause]: ${formatValue(value.cause)}`;
  return `${value.name}: ${value.message}${cause}`;
}
