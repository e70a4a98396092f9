// Loaded in development builds only, because it imports the parameter table and its validation.

import { isRampError } from '../../protocol/errors/isRampError.js';
import { parseWidgetParams } from '../../protocol/widget/parseWidgetParams.js';
import { getWidgetParameters, type Widget } from '../../protocol/widget/widgetParameters.js';
import type { CheckoutOptions } from '../checkout/CheckoutSettings.js';
import { displays } from '../checkout/events.js';
import { settingNames } from '../checkout/settingNames.js';
import { checkWidgetUrl } from './checkWidgetUrl.js';
import { findUnknownProps } from './findUnknownProps.js';
import { warnOnce } from './warnInDev.js';

const displayNames: readonly string[] = ['auto', ...displays];

/** A button's props and `useCheckout`'s options that are not settings. */
const otherNames = [
  'widget',
  'params',
  'signedParams',
  'unsignedParams',
  'render',
  'errorAction',
  'notice',
  'bind',
];

const listParameterNames = (widget: Widget) => getWidgetParameters(widget).map((row) => row.name);

/**
 * Warns in the console about wrong props and a missing stylesheet, once per message, and says how to fix them.
 *
 * @param props - The props as the page passes them.
 */
export function checkProps(options: CheckoutOptions, props: object): void {
  checkWidgetUrl(options.widgetUrl ?? '');
  checkStylesheet();
  warnAbout(options.widget, [...findNameIssues(options.widget, props), ...findPropIssues(options)]);
}

/** Warns about names that a button would pass on to its element. */
export function checkNames(widget: Widget, props: object): void {
  warnAbout(widget, findNameIssues(widget, props));
}

function warnAbout(widget: Widget, issues: readonly string[]): void {
  if (issues.length > 0) warnOnce(`Props of the ${widget} checkout:\n  ${issues.join('\n  ')}`);
}

/** Finds misspelt names, keys that do not belong in a page, and names without an effect. */
function findNameIssues(widget: Widget, props: object): string[] {
  const found: string[] = [];
  for (const name of ['secretKey', 'privateKey'])
    if (name in props)
      found.push(
        `${name} is in the page, where every visitor can read it: keep it in your backend.`,
      );
  const known = [...settingNames, ...otherNames, ...listParameterNames(widget)];
  found.push(...findUnknownProps(props, known));
  for (const { name, managed } of getWidgetParameters(widget))
    if (managed && name in props)
      found.push(
        `${name} has no effect: the widget signer of your backend sets it. Remove the prop.`,
      );
  return found;
}

function findPropIssues(options: CheckoutOptions): string[] {
  const { widget, widgetUrl, signer, api, headers, fetch, onStatusChange } = options;
  const { credentials, display, messages } = options;
  const { signedParams, unsignedParams } = options;
  const found: string[] = [];
  if (display && !displayNames.includes(display))
    found.push(
      `display is "${display}", so the checkout is shown in a dialog. It must be ${displayNames.map((each) => `"${each}"`).join(', ')}.`,
    );
  if (credentials && !/^(include|same-origin|omit)$/.test(credentials))
    found.push(
      `credentials must be "include", "same-origin" or "omit", or each request fails. For a backend on another origin write credentials="include".`,
    );
  if (messages && 'messages' in messages)
    found.push(
      "messages is a whole module, so the texts stay English: pass its export, messages={module.messages}, or import { messages } from '@partner-ramp/react/messages/…'.",
    );
  if (!signer && api === undefined && 'api' in options)
    found.push(
      'api is undefined and signer is missing, so the checkout opens unsigned, as for a Basic Partner. Check the environment variable that api is read from.',
    );
  if (!/^(undefined|object|function)$/.test(typeof headers) || headers instanceof Promise)
    found.push('headers must be an object, or a function that returns one or a promise of one.');
  if (fetch != null && typeof fetch !== 'function')
    found.push('fetch must be a function that takes a URL and options, as the global fetch does.');
  for (const [name, value] of Object.entries({ ...unsignedParams, ...signedParams }))
    if (value === '[object Object]')
      found.push(`${name} is an object: pass text, such as JSON.stringify(value).`);
  if (signer && signedParams?.ext)
    found.push(
      'ext is set by createRamp, which refuses it from a page: return your own data as metadata of the policy. Only a checkout without api or signer, or with your own signer, may have an ext.',
    );
  const { walletAddress, walletAddressLocked, walletAddressHidden } = signedParams ?? {};
  if (!walletAddress && (walletAddressLocked === '1' || walletAddressHidden === '1'))
    found.push(
      'walletAddressLocked and walletAddressHidden have no effect without a walletAddress, unless your policy sets one.',
    );
  if (!widgetUrl) found.push('widgetUrl is missing: pass it to RampProvider or to the component.');
  if (onStatusChange && api == null)
    found.push(
      'onStatusChange is never called without an api, because only the backend has the state of a checkout.',
    );
  if (unsignedParams?.amount && unsignedParams.amountFixed)
    found.push('amount is not sent, because amountFixed replaces it.');
  if (widget === 'nft' && !signer) {
    found.push('NFT checkout must be signed: pass api or signer to the component or RampProvider.');
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

/**
 * Warns once when no rule of styles.css applies to a component. A page with its own styles can silence this by setting
 * `--ramp-accent`, or by not using the package's classes. Skipped while the page loads, because the stylesheet may not
 * be there yet; a later render checks again.
 */
function checkStylesheet(): void {
  if (document.readyState !== 'complete') return;
  // Tests in jsdom and happy-dom often leave the stylesheet out, and no shopper sees their pages.
  if (/jsdom|HappyDOM/.test(navigator.userAgent)) return;
  const component = document.querySelector('.ramp-button, ramp-button, .ramp-quote, .ramp-status');
  if (!component) return;
  const style = getComputedStyle(component);
  if (style.getPropertyValue('--_accent') || style.getPropertyValue('--ramp-accent')) return;
  warnOnce(
    "The stylesheet is missing, so the checkout has no layout: import '@partner-ramp/react/styles.css' once in your page. If you style every component yourself, set the custom property --ramp-accent.",
  );
}
