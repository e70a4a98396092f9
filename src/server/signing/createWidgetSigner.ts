import { createHmac, createSecretKey, type KeyObject, randomInt } from 'node:crypto';
import { createConfigError } from '../../protocol/errors/createConfigError.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { parseQuery } from '../../protocol/parseQuery.js';
import { buildWidgetPayload } from '../../protocol/widget/buildWidgetPayload.js';
import { buildWidgetQuery, selectSentParams } from '../../protocol/widget/buildWidgetUrl.js';
import type { ParamsFor } from '../../protocol/widget/OnRampParams.js';
import { type ExtraParams, parseExtraParams } from '../../protocol/widget/parseExtraParams.js';
import { parseWidgetParams } from '../../protocol/widget/parseWidgetParams.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import { createOptionChecks } from '../internal/createOptionChecks.js';
import { parsePartnerId } from '../internal/parsePartnerId.js';

export interface WidgetSignerOptions {
  /** Partner ID issued at onboarding. */
  readonly partnerId: string;
  /** The SecretKey issued at onboarding. It never leaves this function. Refused when missing. */
  readonly secretKey: string | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** A fresh random integer for each signature. @default six random digits */
  readonly nonce?: () => number | string;
}

/** Parameters that this service knows beyond section 4.7. Names of that table are refused here. */
export interface SignExtras {
  /** Sent, not signed. */
  readonly extraParams?: ExtraParams | undefined;
  /** Sent and signed. */
  readonly extraSignedParams?: ExtraParams | undefined;
}

export interface SignedWidget {
  /** Every parameter to send, as plain values; `signature` is plain base64. */
  readonly params: Record<string, string>;
  /** The exact text that was signed (section 5.3). */
  readonly payload: string;
}

export interface WidgetSigner {
  readonly partnerId: string;
  /**
   * Signs the parameters of one opening, with a timestamp and a nonce of its own.
   *
   * @throws RampError `ERR_PARAMS_INVALID` with `issues`: unknown names, missing or malformed
   * values, and values that could be read as other parameters under the same signature.
   */
  sign<W extends Widget>(widget: W, params: ParamsFor<W>, extras?: SignExtras): SignedWidget;
}

const { checkNames, parseFunction } = createOptionChecks('createWidgetSigner');

const OPTIONS: Record<keyof WidgetSignerOptions, true> = {
  partnerId: true,
  secretKey: true,
  now: true,
  nonce: true,
};

/**
 * Creates the signer of widget URLs for a Premium Partner (section 5.3). For the server alone.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for an empty or malformed partner ID or SecretKey.
 * @example
 * const signer = createWidgetSigner({ partnerId, secretKey: process.env.RAMP_SECRET_KEY });
 * const { params } = signer.sign('on-ramp', { walletAddress: '0x53e9…' });
 * const url = buildWidgetUrl('https://pay.example', params);
 */
export function createWidgetSigner(options: WidgetSignerOptions): WidgetSigner {
  const { partnerId: id, secretKey, ...rest } = options ?? {};
  checkNames(options ?? {}, OPTIONS, 'misspelt');
  const partnerId = parsePartnerId(id);
  const key = parseSecretKey(secretKey);
  const now = parseFunction('now', rest.now) ?? Date.now;
  const nonce = parseFunction('nonce', rest.nonce) ?? (() => randomInt(100_000, 1_000_000));
  return {
    partnerId,
    sign(widget, given, extras = {}) {
      const extraSigned = parseExtraParams(extras.extraSignedParams, 'signed');
      const params: Record<string, string> = {
        ...parseExtraParams(extras.extraParams, 'unsigned', extraSigned),
        ...extraSigned,
        ...selectSentParams(parseWidgetParams(widget, given) as Record<string, string>),
        partnerId,
        timestamp: parseDigits('now', Math.floor(now() / 1000), valueFormats.seconds.pattern),
        nonce: parseDigits('nonce', nonce(), valueFormats.digits.pattern),
      };
      const extraNames = Object.keys(extraSigned);
      const payload = buildWidgetPayload(widget, params, extraNames);
      params.signature = createHmac('sha256', key).update(payload, 'utf8').digest('base64');
      assertReadsBack(widget, params, payload, extraNames);
      return { params, payload };
    },
  };
}

/** What the service will do with the URL must end in the text that was signed. */
function assertReadsBack(
  widget: Widget,
  params: Record<string, string>,
  payload: string,
  extraNames: readonly string[],
): void {
  const read = parseQuery(buildWidgetQuery(params));
  if (
    buildWidgetPayload(widget, read, extraNames) === payload &&
    read.signature === params.signature
  )
    return;
  throw new RampError(
    'ERR_PARAMS_INVALID',
    'The widget URL would not read back to the text that was signed, so it was not handed out. Please report the parameter names you used.',
  );
}

function parseSecretKey(secretKey: unknown): KeyObject {
  if (typeof secretKey === 'string' && secretKey !== '' && secretKey === secretKey.trim())
    return createSecretKey(Buffer.from(secretKey, 'utf8'));
  if (secretKey === undefined || secretKey === '')
    throw createConfigError(
      'secretKey',
      'is missing: is the environment variable set that holds it?',
    );
  throw createConfigError(
    'secretKey',
    'must be the SecretKey as it was issued at onboarding: not empty, no white space around it.',
  );
}

function parseDigits(option: string, value: number | string, pattern: RegExp): string {
  const digits = String(value);
  if (pattern.test(digits)) return digits;
  throw createConfigError(
    `${option}()`,
    option === 'now'
      ? 'must answer milliseconds since 1970, like Date.now.'
      : 'must answer a whole number of at most ten digits.',
  );
}
