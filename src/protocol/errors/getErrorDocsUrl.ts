const PAGE = 'https://github.com/partner-ramp/react/blob/HEAD/docs/errors.md';

/**
 * Returns the URL of the section of docs/errors.md that describes a code.
 *
 * @param code - A RampErrorCode.
 */
export const getErrorDocsUrl = (code: string): string => `${PAGE}#${code.toLowerCase()}`;
