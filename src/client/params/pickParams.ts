/**
 * Splits props into those with the given names, as text, and the rest. Lists are joined with commas, flags become `1`
 * and `0`, and absent values are omitted.
 */
export function pickParams<P extends object>(
  props: P,
  names: readonly string[],
): readonly [params: Record<string, string>, rest: Record<string, unknown>] {
  const params: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props) as [string, unknown][]) {
    if (!names.includes(name)) rest[name] = value;
    else if (value != null) params[name] = toText(value);
  }
  return [params, rest];
}

const toText = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
