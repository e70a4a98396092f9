import { RampError, type RampErrorDetails } from './RampError.js';

/**
 * Creates the error of a configuration that cannot work.
 *
 * @param subject - What is configured wrongly: a function or one of its options. It starts the message.
 * @param message - What is wrong with it and how to fix it, as the rest of the sentence. Never a value.
 * @returns RampError `ERR_CONFIG_INVALID`
 * @example
 * throw createConfigError('createRampHandler', 'needs a signer: the result of createWidgetSigner().');
 */
export const createConfigError = (
  subject: string,
  message: string,
  details?: RampErrorDetails,
): RampError => new RampError('ERR_CONFIG_INVALID', `${subject} ${message}`, details);
