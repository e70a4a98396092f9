/** A code of the URL that the catalog does not have in that spelling. It is ignored. */
export interface CodeNotice {
  readonly param: string;
  readonly code: string;
  /** The code that differs in case alone. */
  readonly meant?: string;
}

/** A page with more of them would be unreadable. */
const MAX_NOTICES = 5;

/**
 * Returns one notice for each unknown code. Codes are case-sensitive, and a service ignores one that it
 * does not know: the shopper then gets another currency without any message.
 *
 * @param catalog - The codes that each parameter may name, by parameter.
 */
export function findCodeNotices(
  params: Readonly<Record<string, string>>,
  catalog: Readonly<Record<string, readonly string[]>>,
): readonly CodeNotice[] {
  const notices = Object.entries(catalog).flatMap(([param, codes]) =>
    [...new Set(params[param]?.split(',') ?? [])]
      .filter((code) => !codes.includes(code))
      .map((code): CodeNotice => {
        const meant = findIgnoringCase(codes, code);
        return { param, code, ...(meant && { meant }) };
      }),
  );
  return notices.slice(0, MAX_NOTICES);
}

/** Returns the code of the list that differs from `code` in case alone. */
export function findIgnoringCase(codes: readonly string[], code: string): string | undefined {
  return codes.find((known) => known.toLowerCase() === code.toLowerCase());
}
