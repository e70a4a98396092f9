import { isRampError } from '../../protocol/errors/isRampError.js';
import { RampError } from '../../protocol/errors/RampError.js';

/** The reason why a webhook was not verified. Reasons are stable, like the codes. */
export type WebhookReason =
  | 'method'
  | 'header-missing'
  | 'header-repeated'
  | 'header-malformed'
  | 'query-malformed'
  | 'body-malformed'
  | 'timestamp'
  | 'signature'
  | 'replay-store'
  | 'unexpected';

const messages: Readonly<Record<WebhookReason, string>> = {
  method: 'it is no POST. The service sends nothing else',
  'header-missing':
    'X-Fp-Timestamp, X-Fp-Nonce or X-Fp-Signature is missing. Does a proxy drop headers?',
  'header-repeated': 'an X-Fp header stands twice',
  'header-malformed': 'an X-Fp header is not written as the service writes it',
  'query-malformed': 'its query has a repeated name, broken encoding, or an ambiguous item',
  'body-malformed': 'its signed body is not a JSON object, or has an ambiguous field',
  timestamp:
    'its time is outside of the tolerance. Is this clock right, or was an old one sent again?',
  signature:
    'the signature does not fit. Check the public key, and that `url` is the address that the service was given',
  'replay-store': 'the memory of earlier ones could not be asked; see the cause',
  unexpected: 'something failed that nobody foresaw; see the cause',
};

const MAX_NAME_LENGTH = 64;

/** Names the item that caused the error. The name comes from outside, so it is quoted and truncated. */
function describeItem(cause: unknown): string {
  const [issue] = (isRampError(cause) && cause.issues) || [];
  if (!issue) return '';
  const name = issue.param && `${JSON.stringify(issue.param.slice(0, MAX_NAME_LENGTH))} `;
  return `: ${name}${issue.message}`;
}

/** A webhook that was not verified: `ERR_WEBHOOK_VERIFICATION` with a `reason`. */
export class WebhookError extends RampError {
  readonly reason: WebhookReason;

  constructor(reason: WebhookReason, cause?: unknown) {
    const details = cause === undefined ? {} : { cause };
    const message = `The webhook is refused: ${messages[reason]}${describeItem(cause)}.`;
    super('ERR_WEBHOOK_VERIFICATION', message, details);
    this.reason = reason;
  }
}
