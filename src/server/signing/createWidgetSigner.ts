import { createWidgetSignerWith } from './createWidgetSignerWith.js';
import type { WidgetSigner, WidgetSignerOptions } from './WidgetSigner.js';

/**
 * Creates a signer of widget URLs for a Premium Partner (docs/service-interface.md section 5.3). It holds the
 * `SecretKey`, so use it only on a server.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for a missing or malformed partner ID or `SecretKey`.
 * @example
 * const signer = createWidgetSigner({ partnerId, secretKey: process.env.RAMP_SECRET_KEY });
 * const { params } = signer.sign('on-ramp', { walletAddress: '0x53e9…' });
 * const url = buildWidgetUrl('https://pay.example', params);
 */
export function createWidgetSigner(options: WidgetSignerOptions): WidgetSigner {
  return createWidgetSignerWith(options, {});
}
