import { isLosslessNumber, parse } from 'lossless-json';
import { decodeUtf8 } from '../internal/requestBody.js';
import { WebhookError } from './WebhookError.js';
import { checkItems } from './webhookItems.js';

/**
 * Returns the scalar fields of a JSON object. Numbers keep the digits of the JSON text, and empty fields are dropped.
 *
 * @throws WebhookError `body-malformed`
 */
export function parseSignedBody(body: Uint8Array): [string, string][] {
  try {
    const fields = parse(decodeUtf8(body)) as object;
    // No other JSON value has this prototype: not null, an array, text, a boolean or a LosslessNumber.
    if (Object.getPrototypeOf(fields) !== Object.prototype)
      throw new TypeError('The body is not a JSON object.');
    const scalars = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
      if (isLosslessNumber(value)) return [[name, value.toString()]];
      return typeof value === 'string' || typeof value === 'boolean' ? [[name, `${value}`]] : [];
    });
    return checkItems(scalars);
  } catch (cause) {
    throw new WebhookError('body-malformed', cause);
  }
}
