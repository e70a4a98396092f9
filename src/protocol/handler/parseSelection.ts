import { createParamsError, type RampIssue } from '../errors/RampError.js';
import { valueFormats } from '../widget/valueFormats.js';
import { getWidgetParameters, type Widget } from '../widget/widgetParameters.js';
import type { CheckoutSelection } from './selection.js';

/** The maximum length of each value. A list may name every coin that the service sells. */
const maxLengths: Record<keyof CheckoutSelection, number> = {
  cryptoCurrency: 4096,
  defaultCurrency: 64,
  cryptoNetwork: 4096,
  fiatCurrency: 4096,
  defaultFiatCurrency: 64,
  amountFixed: 64,
  amount: 64,
};

const isSelectionName = (name: string): name is keyof CheckoutSelection =>
  Object.hasOwn(maxLengths, name);

/** Returns the selection parameters that a widget takes unsigned, with their formats and maximum lengths. */
const listRules = (widget: Widget) =>
  getWidgetParameters(widget).flatMap(({ name, format, signed }) =>
    signed === 'never' && isSelectionName(name)
      ? [{ name, ...valueFormats[format], maxLength: maxLengths[name] }]
      : [],
  );

/** The unsigned parameters that a selection may contain, by widget. */
export const selectionRules = { 'on-ramp': listRules('on-ramp'), nft: listRules('nft') };

/**
 * Checks that a page's selection is text in the formats of the widget's parameters, but not whether the values are
 * true. Empty values are dropped, and so are names that the widget does not take, because a page from a later release
 * may send more.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with an issue for each malformed value.
 */
export function parseSelection(widget: Widget, input: unknown): CheckoutSelection {
  if (Object.prototype.toString.call(input) !== '[object Object]')
    throw createParamsError([{ param: 'selection', message: 'must be an object of strings' }]);
  const values = input as Readonly<Record<string, unknown>>;
  const issues: RampIssue[] = [];
  const refuse = (name: string, message: string) =>
    issues.push({ param: `selection.${name}`, message });
  for (const name of Object.keys(values))
    if (isInherited(name)) refuse(name, 'is a name that every JavaScript object has');
  // The object has no prototype, so that a policy finds only what the page sent.
  const selection: Record<string, unknown> = Object.create(null);
  for (const { name, pattern, words, maxLength } of selectionRules[widget]) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value == null || value === '') continue;
    if (typeof value !== 'string') refuse(name, 'must be a string');
    else if (value.length > maxLength) refuse(name, `is longer than ${maxLength} characters`);
    else if (!pattern.test(value)) refuse(name, `must be ${words}`);
    // A policy may look up a code in a plain object, where it would find a function under `constructor`.
    else if (value.split(',').some(isInherited))
      refuse(name, 'has a name that every JavaScript object has, such as constructor');
    else selection[name] = value;
  }
  if (issues.length > 0) throw createParamsError(issues);
  return selection;
}

const isInherited = (name: string): boolean => name in Object.prototype;
