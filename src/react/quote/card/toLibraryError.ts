import { RampError } from '../../../protocol/errors/RampError.js';

/**
 * Returns the error to report if react-query could not be imported. If the message says that the module cannot be
 * resolved or found, in the words of Node, bundlers or browsers, react-query is not installed. Any other error comes
 * from the network, and is returned unchanged.
 */
export const toLibraryError = (cause: unknown): unknown =>
  /(?:resolve|find (?:module|package)).*@tanstack\/react-query/i.test(`${cause}`)
    ? new RampError(
        'ERR_CONFIG_INVALID',
        'Prices need @tanstack/react-query 5, which is not installed: npm install @tanstack/react-query@5.',
        { cause },
      )
    : cause;
