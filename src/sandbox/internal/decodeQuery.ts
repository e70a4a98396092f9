type DecodedQuery =
  | { readonly ok: true; readonly params: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

/**
 * Parses a query string strictly. Duplicate names and malformed percent-encoding are rejected, because two
 * parsers could read them differently. Items with an empty name or value are dropped.
 */
export function decodeQuery(query: string): DecodedQuery {
  // Without a prototype, because a parameter may be called __proto__.
  const params: Record<string, string> = Object.create(null);
  const seen = new Set<string>();
  for (const item of query.replace(/^\?/, '').split('&')) {
    const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(item) ?? [];
    const name = decodeText(rawName);
    const value = decodeText(rawValue);
    if (name === undefined || value === undefined)
      return { ok: false, message: 'The query has malformed percent-encoding.' };
    if (name === '') continue;
    if (seen.has(name)) return { ok: false, message: `The parameter ${name} occurs twice.` };
    seen.add(name);
    if (value !== '') params[name] = value;
  }
  return { ok: true, params };
}

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
