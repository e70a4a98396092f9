import { RampError } from '../protocol/ramp-error.js';
import { buildWidgetUrl } from '../protocol/widget-url.js';
import type { Opening } from './checkout-session.js';
import type { SignedCheckout } from './checkout-types.js';
import { tableNames } from './parameter-rules.js';

/**
 * The address of one opening. Unsigned parameters are added to what was signed, never put in its
 * place.
 *
 * @throws RampError `ERR_CONFIG_INVALID` without a proper `widgetUrl`, `ERR_PARAMS_INVALID` for an
 * extra parameter with a name of section 4.7.
 */
export function checkoutUrl(
  { options, display }: Opening,
  signed: SignedCheckout | undefined,
): string {
  const { widgetUrl, extraParams, language = '', partnerId = '', ...given } = options;
  if (!widgetUrl)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'widgetUrl is missing: give it to RampProvider or to the component.',
    );
  const issues = Object.keys(extraParams ?? {})
    .filter((name) => tableNames.includes(name))
    .map((param) => ({ param, message: 'is a parameter of its own: give it as such' }));
  if (issues.length > 0)
    throw new RampError(
      'ERR_PARAMS_INVALID',
      `extraParams refused: ${issues.map(({ param, message }) => `${param} ${message}`).join('; ')}.`,
      { issues },
    );
  return buildWidgetUrl(widgetUrl, {
    ...extraParams,
    // Section 4.7: without it the service may refuse to be framed.
    windowOpen: display === 'modal' ? '1' : '',
    language,
    partnerId,
    ...given.unsignedParams,
    ...(signed ? signed.params : given.signedParams),
  });
}
