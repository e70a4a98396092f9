/** An ignored code of the URL: the catalog does not have it in this spelling. */
export interface CodeNotice {
  readonly param: string;
  readonly code: string;
  /** The code of the catalog that differs only in case. */
  readonly meant?: string;
}

/** More notices would make the page unreadable. */
const MAX_NOTICES = 5;

/**
 * Returns one notice for each unknown code. Codes are case-sensitive, and services ignore unknown codes:
 * the shopper then gets another currency without any message.
 *
 * @param catalog - The valid codes of each parameter, by parameter.
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

/** Returns the code of the list that differs from `code` only in case. */
export function findIgnoringCase(codes: readonly string[], code: string): string | undefined {
  return codes.find((known) => known.toLowerCase() === code.toLowerCase());
}
