import { RampError } from '../../../protocol/errors/RampError.js';

/**
 * Returns the error to report if react-query could not be imported. It is not installed if the message says that it
 * cannot be resolved or found; Node, bundlers and browsers use such words. Any other error comes from the network, and
 * is returned unchanged.
 */
export const toLibraryError = (cause: unknown): unknown =>
  /(?:resolve|find (?:module|package)).*@tanstack\/react-query/i.test(`${cause}`)
    ? new RampError(
        'ERR_CONFIG_INVALID',
        'Prices need @tanstack/react-query 5, which is not installed: npm install @tanstack/react-query@5.',
        { cause },
      )
    : cause;
