import { RampError, type RampIssue } from '../../protocol/errors/RampError.js';
import { buildWidgetUrl } from '../../protocol/widget/buildWidgetUrl.js';
import type { SignedCheckout } from '../backend/CheckoutSigner.js';
import { tableNames, unsignedNames } from '../params/parameterRules.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { Opening } from './Opening.js';

/**
 * Builds the URL of one opening. Unsigned parameters are added to the signed ones and never replace them.
 *
 * @throws RampError `ERR_CONFIG_INVALID` without a valid `widgetUrl`, `ERR_PARAMS_INVALID` for a parameter
 * that is passed in the wrong prop.
 */
export function buildCheckoutUrl(
  { options, display }: Opening,
  signed: SignedCheckout | undefined,
): string {
  const { widgetUrl, extraParams, language = '', partnerId = '', ...given } = options;
  if (!widgetUrl)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'widgetUrl is missing: pass it to RampProvider or to the component.',
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
    // docs/service-interface.md section 4.7: without it some services refuse to be framed.
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
      .map((param) => ({ param, message: 'has its own prop: use that one' })),
    ...Object.keys(unsignedParams ?? {})
      .filter((name) => !unsignedNames[widget].includes(name))
      .map((param) => ({ param, message: `is not sent unsigned by the ${widget} widget` })),
  ];
}
