// Loaded in development builds alone: it brings zod and the parameter table.
import { isRampError } from '../protocol/is-ramp-error.js';
import { parseWidgetParams } from '../protocol/widget-schemas.js';
import type { CheckoutOptions } from './checkout-types.js';
import { checkWidgetUrl } from './checkWidgetUrl.js';

const warned = new Set<string>();

/** Says once in the console which props are wrong and how they should be. */
export function checkProps(options: CheckoutOptions): void {
  checkWidgetUrl(options.widgetUrl ?? '');
  const wrong = findings(options).join('\n  ');
  if (!wrong || warned.has(wrong)) return;
  warned.add(wrong);
  console.warn(`[partner-ramp] Props of the ${options.widget} checkout:\n  ${wrong}`);
}

function findings(options: CheckoutOptions): string[] {
  const { widget, widgetUrl, signer, api, onStatusChange } = options;
  const { signedParams, unsignedParams } = options;
  const found: string[] = [];
  for (const name of ['secretKey', 'privateKey'])
    if (name in options)
      found.push(`${name} is in the page, where everybody can read it: keep it in your backend.`);
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
