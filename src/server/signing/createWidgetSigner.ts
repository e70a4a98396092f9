import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createConfigError, createParamsError } from '../../protocol/errors/RampError.js';
import { buildWidgetPayload } from '../../protocol/widget/buildWidgetPayload.js';
import { selectSentParams } from '../../protocol/widget/buildWidgetUrl.js';
import type { ParamsFor } from '../../protocol/widget/parseWidgetParams.js';
import {
  type ExtraParams,
  parseExtraParams,
  parseWidgetParams,
} from '../../protocol/widget/parseWidgetParams.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import {
  type OptionReader,
  readOptions,
  partnerId as readPartnerId,
  setting,
} from '../internal/options.js';
import { getSeconds, processRuntime, type Runtime } from '../internal/runtime.js';
import { type SignMessage, signExternally } from './externalKey.js';

/** Options of {@link createWidgetSigner}. */
export interface WidgetSignerOptions<Key = SecretKey | SignMessage> {
  /** The partner ID issued at onboarding. */
  readonly partnerId: string;
  /**
   * The `SecretKey` issued at onboarding, or a function that signs with it by HMAC-SHA256, such as a call to a key
   * management service. The type allows `undefined` so that an environment variable can be passed, but a missing key is
   * refused.
   */
  readonly secretKey: Key;
}

/** The `SecretKey` as text or as a secret `KeyObject`. */
export type SecretKey = string | KeyObject | undefined;

/** Parameters that section 4.7 of the service interface does not list. Names that it lists are refused. */
export interface SignExtras {
  /** Parameters that are sent and not signed. */
  readonly extraParams?: ExtraParams | undefined;
  /** Parameters that are sent and signed. */
  readonly extraSignedParams?: ExtraParams | undefined;
}

/** The result of {@link WidgetSigner.sign}. `buildWidgetUrl` builds the widget URL from its `params`. */
export interface SignedWidget {
  /** All parameters to send, not yet percent-encoded. `signature` is standard base64. */
  readonly params: Record<string, string>;
  /** The exact text that was signed (service interface, section 5.3). */
  readonly payload: string;
}

/** The result of {@link createWidgetSigner} for a function that signs: like {@link WidgetSigner}, with promises. */
export interface AsyncWidgetSigner {
  readonly partnerId: string;
  /**
   * Signs the parameters of one widget URL, with a new timestamp and nonce.
   *
   * @throws RampError like {@link WidgetSigner.sign}; `ERR_TIMEOUT` when the function does not sign within 3 seconds,
   * `ERR_INTERNAL` when it fails.
   */
  sign<W extends Widget>(
    widget: W,
    params: ParamsFor<W>,
    extras?: SignExtras,
  ): Promise<SignedWidget>;
}

/** The result of {@link createWidgetSigner}. It holds the `SecretKey`, so use it only on a server. */
export interface WidgetSigner {
  readonly partnerId: string;
  /**
   * Signs the parameters of one widget URL, with a new timestamp and nonce.
   *
   * @throws RampError `ERR_PARAMS_INVALID` with `issues` for unknown names, for missing or malformed values, and for
   * values whose signature would also be valid for other parameters; `ERR_CONFIG_INVALID` when
   * `Date.now()` does not return milliseconds since 1970.
   */
  sign<W extends Widget>(widget: W, params: ParamsFor<W>, extras?: SignExtras): SignedWidget;
}

/**
 * Creates a signer of widget URLs for a Premium Partner (service interface, section 5.3). The signer holds the
 * `SecretKey`, so use it only on a server. With a function as `secretKey`, its `sign` returns a promise.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for a missing or malformed partner ID or `SecretKey`.
 * @example
 * const signer = createWidgetSigner({ partnerId, secretKey: process.env.RAMP_SECRET_KEY });
 * const { params } = signer.sign('on-ramp', { walletAddress: '0x53e9…' });
 * const url = buildWidgetUrl('https://pay.example', params);
 */
export function createWidgetSigner(options: WidgetSignerOptions<SecretKey>): WidgetSigner;
export function createWidgetSigner(options: WidgetSignerOptions<SignMessage>): AsyncWidgetSigner;
/** @internal */
export function createWidgetSigner(
  options: WidgetSignerOptions<SecretKey>,
  runtime: Runtime,
): WidgetSigner;
/** @internal */
export function createWidgetSigner(
  options: WidgetSignerOptions,
  runtime: Runtime,
): WidgetSigner | AsyncWidgetSigner;
export function createWidgetSigner(
  options: WidgetSignerOptions,
  runtime: Runtime = processRuntime,
): WidgetSigner | AsyncWidgetSigner {
  const { partnerId, secretKey } = readOptions(
    'createWidgetSigner',
    options,
    { partnerId: readPartnerId, secretKey: parseSecretKey },
    'misspelt',
  );
  const prepare = <W extends Widget>(widget: W, given: ParamsFor<W>, extras?: SignExtras) => {
    checkExtraNames(extras);
    const extraSigned = parseExtraParams(extras?.extraSignedParams, 'signed');
    const params: Record<string, string> = {
      ...parseExtraParams(extras?.extraParams, 'unsigned', extraSigned),
      ...extraSigned,
      ...selectSentParams(parseWidgetParams(widget, given) as Record<string, string>),
      partnerId,
      timestamp: parseTimestamp(getSeconds(runtime)),
      nonce: `${runtime.randomInt(100_000, 1_000_000)}`,
    };
    const extraNames = Object.keys(extraSigned);
    return { params, payload: buildWidgetPayload(widget, params, extraNames) };
  };
  const finish = ({ params, payload }: SignedWidget, signature: string): SignedWidget => ({
    params: { ...params, signature },
    payload,
  });
  if (typeof secretKey === 'function')
    return {
      partnerId,
      async sign(widget, given, extras) {
        const prepared = prepare(widget, given, extras);
        const how = { name: 'secretKey', minBytes: HMAC_BYTES, runtime };
        return finish(prepared, await signExternally(prepared.payload, secretKey, how));
      },
    };
  return {
    partnerId,
    sign(widget, given, extras) {
      const prepared = prepare(widget, given, extras);
      // The payload and the key are both encoded as UTF-8, which is the default of Node.js.
      const hmac = createHmac('sha256', secretKey).update(prepared.payload);
      return finish(prepared, hmac.digest('base64'));
    },
  };
}

const HMAC_BYTES = 32;

/**
 * Refuses names other than `extraParams` and `extraSignedParams`, because they would be ignored: an extra parameter
 * belongs inside one of these two.
 */
function checkExtraNames(extras: SignExtras | undefined): void {
  const issues = Object.keys(Object(extras))
    .filter((name) => name !== 'extraParams' && name !== 'extraSignedParams')
    .map((param) => ({
      param,
      message: 'is unknown here: put it into extraParams or extraSignedParams',
    }));
  if (issues.length > 0) throw createParamsError(issues);
}

/** @throws RampError `ERR_CONFIG_INVALID` unless the value is a key or a function that signs. */
export const parseSecretKey: OptionReader<KeyObject | SignMessage> = (secretKey, option) => {
  if (typeof secretKey === 'function') return secretKey as SignMessage;
  if ((secretKey as Partial<KeyObject> | null | undefined)?.type === 'secret')
    return secretKey as KeyObject;
  return parseSecretText(secretKey, option);
};

const parseSecretText = setting((secretKey, { subject }) => {
  if (typeof secretKey === 'string' && secretKey === secretKey.trim())
    return createSecretKey(Buffer.from(secretKey));
  throw createConfigError(
    subject,
    'must be the SecretKey that was issued at onboarding, without white space around it.',
  );
});

function parseTimestamp(seconds: number): string {
  const digits = String(seconds);
  if (valueFormats.seconds.pattern.test(digits)) return digits;
  throw createConfigError('Date.now()', 'must return milliseconds since 1970.');
}
