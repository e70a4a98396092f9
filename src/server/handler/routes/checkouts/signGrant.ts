import { createParamsError } from '../../../../protocol/errors/createParamsError.js';
import { isRampError } from '../../../../protocol/errors/isRampError.js';
import { RampError } from '../../../../protocol/errors/RampError.js';
import type { ParamsFor } from '../../../../protocol/widget/OnRampParams.js';
import type { Widget } from '../../../../protocol/widget/WidgetParameter.js';
import type { SignExtras, WidgetSigner } from '../../../signing/createWidgetSigner.js';

/**
 * Signs the parameters that a policy granted. They may lack a wallet or have a malformed value. The page may
 * have proposed that value, so the response carries the issues. The error has a cause, so `onError` is
 * called too.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with `issues`, and the other errors of the signer.
 */
export function signGrant(
  signer: WidgetSigner,
  widget: Widget,
  params: object,
  { extraParams, extraSignedParams }: SignExtras,
): Record<string, string> {
  try {
    const given = params as ParamsFor<typeof widget>;
    return signer.sign(widget, given, { extraParams, extraSignedParams }).params;
  } catch (cause) {
    if (!isRampError(cause)) throw cause;
    const { code, issues } = cause;
    const { message } = issues
      ? createParamsError(issues, "The checkout policy's params were")
      : cause;
    throw new RampError(code, message, { issues, cause });
  }
}

/** Returns the parameters without timestamp, nonce and signature, which differ for each signature. */
export function omitSignature(params: Record<string, string>): Record<string, string> {
  const { signature: _, timestamp: __, nonce: ___, ...bound } = params;
  return bound;
}
