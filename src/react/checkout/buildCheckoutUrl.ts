import { RampError, type RampIssue } from '../../protocol/errors/RampError.js';
import { buildWidgetUrl } from '../../protocol/widget/buildWidgetUrl.js';
import type { SignedCheckout } from '../backend/CheckoutSigner.js';
import { tableNames, unsignedNames } from '../params/parameterRules.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { Opening } from './Opening.js';

/**
 * The address of one opening. Unsigned parameters are added to what was signed, never put in its
 * place.
 *
 * @throws RampError `ERR_CONFIG_INVALID` without a proper `widgetUrl`, `ERR_PARAMS_INVALID` for a
 * parameter that is given where it does not belong.
 */
export function buildCheckoutUrl(
  { options, display }: Opening,
  signed: SignedCheckout | undefined,
): string {
  const { widgetUrl, extraParams, language = '', partnerId = '', ...given } = options;
  if (!widgetUrl)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'widgetUrl is missing: give it to RampProvider or to the component.',
    );
  const issues = findMisplacedParams(options);
  if (issues.length > 0)
    throw new RampError(
      'ERR_PARAMS_INVALID',
      `Parameters refused: ${issues.map(({ param, message }) => `${param} ${message}`).join('; ')}.`,
      { issues },
    );
  return buildWidgetUrl(widgetUrl, {
    ...extraParams,
    // Section 4.7: without it the service may refuse to be framed.
    windowOpen: display === 'modal' || display === 'inline' ? '1' : '',
    language,
    partnerId,
    ...given.unsignedParams,
    ...(signed ? signed.params : given.signedParams),
  });
}

function findMisplacedParams({
  widget,
  extraParams,
  unsignedParams,
}: CheckoutOptions): RampIssue[] {
  return [
    ...Object.keys(extraParams ?? {})
      .filter((name) => tableNames.includes(name))
      .map((param) => ({ param, message: 'is a parameter of its own: give it as such' })),
    ...Object.keys(unsignedParams ?? {})
      .filter((name) => !unsignedNames[widget].includes(name))
      .map((param) => ({ param, message: `is not sent unsigned by the ${widget} widget` })),
  ];
}
