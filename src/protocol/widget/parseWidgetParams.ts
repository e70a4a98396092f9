import { createParamsError } from '../errors/createParamsError.js';
import { getWidgetParameters } from './getWidgetParameters.js';
import type { ParamsFor, ProposedParams } from './OnRampParams.js';
import type { ParamsUse } from './ParamsUse.js';
import { findParamIssues } from './paramIssues.js';
import type { Widget } from './WidgetParameter.js';

const rowsOf = { 'on-ramp': getWidgetParameters('on-ramp'), nft: getWidgetParameters('nft') };

/**
 * Validates the parameters of `widget` and returns them without empty values.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with one issue for each invalid parameter.
 * @example
 * parseWidgetParams('on-ramp', { walletAddress: '0xF0', amount: '99.50' });
 */
export function parseWidgetParams<W extends Widget>(widget: W, input: unknown): ParamsFor<W>;
/** Validates parameters for another use: an unsigned URL, or the proposal of a page. */
export function parseWidgetParams<W extends Widget>(
  widget: W,
  input: unknown,
  use: 'basic' | 'proposal',
): ProposedParams<W>;
export function parseWidgetParams(widget: Widget, input: unknown, use: ParamsUse = 'premium') {
  if (widget !== 'on-ramp' && widget !== 'nft')
    throw createParamsError([{ param: 'widget', message: "must be 'on-ramp' or 'nft'" }]);
  const params = copyValues(input, widget);
  if (!params)
    throw createParamsError([{ param: '', message: 'must be a plain object of strings' }]);
  const issues = findParamIssues(widget, params, use);
  if (issues.length > 0) throw createParamsError(issues);
  // In the order of the table, and without the values that may be empty.
  const parsed: Record<string, unknown> = Object.create(null);
  for (const { name } of rowsOf[widget]) if (params[name]) parsed[name] = params[name];
  return parsed;
}

/**
 * Copies the own values that are not absent to an object without a prototype, so that no inherited value is used.
 * Empty text counts as absent, except for a parameter that may be empty.
 */
function copyValues(input: unknown, widget: Widget): Record<string, unknown> | undefined {
  if (Object.prototype.toString.call(input) !== '[object Object]') return undefined;
  if (Object.getOwnPropertySymbols(input).length > 0) return undefined;
  const rows = rowsOf[widget];
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(input as object))
    if (value != null && (value !== '' || rows.some((row) => row.name === name && row.mayBeEmpty)))
      copy[name] = value;
  return copy;
}
