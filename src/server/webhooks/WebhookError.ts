import { isRampError } from '../../protocol/errors/isRampError.js';
import { RampError } from '../../protocol/errors/RampError.js';

/** Why a webhook was not verified. The reasons are stable, like the codes of errors. */
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
  method: 'expected a POST request. The service sends webhooks only with POST',
  'header-missing':
    'X-Fp-Timestamp, X-Fp-Nonce or X-Fp-Signature is missing. Check that no proxy drops headers',
  'header-repeated':
    'an X-Fp header appears twice, or looks as if it did. Check that no proxy adds headers',
  'header-malformed': 'an X-Fp header is malformed, such as a timestamp that is not ten digits',
  'query-malformed':
    'its query has a duplicate name, malformed percent-encoding, or an ambiguous item',
  'body-malformed': 'its signed body is not a JSON object, or has an ambiguous field',
  timestamp:
    'its timestamp is outside the tolerance. Check the clock of this server, unless an old webhook was sent again',
  signature:
    'its signature is not valid. Check the public key, and that `url` is the webhook address that the service has',
  'replay-store': 'the replay store failed; see the cause',
  unexpected: 'an unexpected error occurred; see the cause',
};

const MAX_NAME_LENGTH = 64;

/**
 * Describes the header or field that caused the error. Its name comes from the request, so it is quoted and truncated.
 */
function describeItem(cause: unknown): string {
  const [issue] = (isRampError(cause) && cause.issues) || [];
  if (!issue) return '';
  const name = issue.param && `${JSON.stringify(issue.param.slice(0, MAX_NAME_LENGTH))} `;
  return `: ${name}${issue.message}`;
}

/** The error of a webhook that was not verified: `ERR_WEBHOOK_VERIFICATION` with a `reason`. */
export class WebhookError extends RampError {
  readonly reason: WebhookReason;

  constructor(reason: WebhookReason, cause?: unknown) {
    const details = cause === undefined ? {} : { cause };
    const message = `The webhook is refused: ${messages[reason]}${describeItem(cause)}.`;
    super('ERR_WEBHOOK_VERIFICATION', message, details);
    this.reason = reason;
  }
}

/** Returns whether `value` is a {@link WebhookError}, even if another copy of this package created it. */
export const isWebhookError = (value: unknown): value is WebhookError =>
  isRampError(value) && value.code === 'ERR_WEBHOOK_VERIFICATION' && 'reason' in value;

/** Returns whether the webhook was refused because of the backend, not the request. */
export const isOwnFault = ({ reason }: WebhookError): boolean =>
  reason === 'replay-store' || reason === 'unexpected';
