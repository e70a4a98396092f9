import { RampError, type RampIssue } from '../../protocol/errors/RampError.js';
import { buildWidgetUrl } from '../../protocol/widget/buildWidgetUrl.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import {
  languagePattern,
  tableNames,
  unsignedFormats,
  unsignedNames,
} from '../params/parameterRules.js';
import type { CheckoutOptions } from './CheckoutSettings.js';
import type { CheckoutDisplay } from './events.js';
import type { Opening } from './Opening.js';

/**
 * Builds the widget URL for one opening. Unsigned parameters are added to the signed ones and never replace them.
 *
 * @throws RampError `ERR_CONFIG_INVALID` without a valid `widgetUrl`, `ERR_PARAMS_INVALID` for a parameter that is
 * passed in the wrong prop, has a malformed amount, code or flag, or contains a lone surrogate.
 */
export function buildCheckoutUrl(
  { options, display }: Opening,
  signed: SignedCheckout | undefined,
): string {
  const { widgetUrl, extraParams, language = '', partnerId = '', ...given } = options;
  const { windowOpenName = 'windowOpen' } = options;
  // Without `windowOpen`, some services refuse to be shown in a frame (service interface, section 4.7).
  const { windowOpen = isFramed(display) ? '1' : '', ...unsigned } = given.unsignedParams ?? {};
  if (!widgetUrl)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'widgetUrl is missing: pass it to RampProvider or to the component.',
    );
  const issues = [...findMisplacedParams(options), ...findFormatIssues(options)];
  if (issues.length > 0)
    throw new RampError(
      'ERR_PARAMS_INVALID',
      `Parameters refused: ${issues.map(({ param, message }) => `${param} ${message}`).join('; ')}.`,
      { issues },
    );
  return buildWidgetUrl(widgetUrl, {
    ...extraParams,
    [windowOpenName]: windowOpen,
    // A malformed locale must not keep a shopper from paying.
    language: new RegExp(languagePattern).test(language) ? language : '',
    partnerId,
    ...unsigned,
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

function findFormatIssues({ widget, unsignedParams }: CheckoutOptions): RampIssue[] {
  return Object.entries(unsignedParams ?? {}).flatMap(([param, value]) => {
    const { pattern, words } = unsignedFormats[widget][param] ?? {};
    const isValid = !value || !pattern || new RegExp(pattern).test(value);
    return isValid ? [] : [{ param, message: `must be ${words}` }];
  });
}

/**
 * Returns whether a display shows the widget in a frame of the page. Untyped code can pass an unknown value, such as
 * `popup`. Such a value opens a dialog, so it counts as framed.
 */
export const isFramed = (display: CheckoutDisplay): boolean =>
  display !== 'window' && display !== 'redirect';
