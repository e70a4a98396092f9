import { RampError, type RampErrorDetails } from './RampError.js';

/**
 * Creates the error of an invalid configuration.
 *
 * @param subject - The function or the option that is configured wrongly. It starts the message.
 * @param message - The rest of the sentence: the problem and how to fix it, never with a value.
 * @returns RampError `ERR_CONFIG_INVALID`
 * @example
 * throw createConfigError('createRampHandler', 'needs a signer: the result of createWidgetSigner().');
 */
export const createConfigError = (
  subject: string,
  message: string,
  details?: RampErrorDetails,
): RampError => new RampError('ERR_CONFIG_INVALID', `${subject} ${message}`, details);
