// Loaded in development builds alone: it brings zod and the parameter table.
import { isRampError } from '../../protocol/errors/isRampError.js';
import { getWidgetParameters } from '../../protocol/widget/getWidgetParameters.js';
import { parseWidgetParams } from '../../protocol/widget/parseWidgetParams.js';
import { checkWidgetUrl } from '../dev/checkWidgetUrl.js';
import { findUnknownProps, settingNames } from '../dev/findUnknownProps.js';
import { warnOnce } from '../dev/warnInDev.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import { checkRender } from './checkRender.js';

const listParameterNames = (widget: CheckoutOptions['widget']) =>
  getWidgetParameters(widget).map((row) => row.name);

/** Says once in the console which props are wrong and how they should be. */
export function checkProps(options: CheckoutOptions): void {
  checkWidgetUrl(options.widgetUrl ?? '');
  const wrong = findPropIssues(options).join('\n  ');
  checkRender(options);
  if (wrong) warnOnce(`Props of the ${options.widget} checkout:\n  ${wrong}`);
}

function findPropIssues(options: CheckoutOptions): string[] {
  const { widget, widgetUrl, signer, api, headers, onStatusChange } = options;
  const { signedParams, unsignedParams } = options;
  const found: string[] = [];
  for (const name of ['secretKey', 'privateKey'])
    if (name in options)
      found.push(`${name} is in the page, where everybody can read it: keep it in your backend.`);
  found.push(...findUnknownProps(options, [...settingNames, ...listParameterNames(widget)]));
  if (!signer && api === undefined && 'api' in options)
    found.push(
      'api is undefined and there is no signer, so the checkout opens unsigned, as for a Basic Partner. Is the variable set that holds it?',
    );
  if (!/^(undefined|object|function)$/.test(typeof headers) || headers instanceof Promise)
    found.push('headers must be an object, or a function that returns one or a promise of one.');
  const { walletAddress, walletAddressLocked, walletAddressHidden } = signedParams ?? {};
  if (!walletAddress && (walletAddressLocked === '1' || walletAddressHidden === '1'))
    found.push(
      'walletAddressLocked and walletAddressHidden have no effect without a walletAddress, unless your policy sets one.',
    );
  if (!widgetUrl) found.push('widgetUrl is missing: give it to RampProvider or to the component.');
  if (onStatusChange && api == null)
    found.push('onStatusChange hears nothing without an api: the backend knows how far it is.');
  if (unsignedParams?.amount && unsignedParams.amountFixed)
    found.push('amount is not sent, because amountFixed is given too.');
  if (widget === 'nft' && !signer) {
    found.push(
      'NFT checkout must be signed: give the component or RampProvider an api or a signer.',
    );
    return found;
  }
  try {
    const use = signer ? 'proposal' : 'basic';
    parseWidgetParams(widget, { ...unsignedParams, ...signedParams }, use);
  } catch (error) {
    if (!isRampError(error)) throw error;
    for (const { param, message } of error.issues ?? []) found.push(`${param} ${message}.`);
  }
  return found;
}
