/**
 * Splits props into widget parameters and the rest. Lists are joined with commas, flags become `1` and `0`,
 * and absent values are omitted.
 */
export function pickParams<P extends object>(props: P, names: string) {
  const list = names.split(' ');
  const params: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const name in props) {
    const value: unknown = props[name];
    if (!list.includes(name)) rest[name] = value;
    else if (value != null) params[name] = `${typeof value === 'boolean' ? +value : value}`;
  }
  return [params, rest] as const;
}
