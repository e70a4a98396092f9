import type * as z from 'zod/mini';
import { createParamsError } from '../errors/createParamsError.js';
import type { RampIssue } from '../errors/RampError.js';
import { createWidgetParamsSchema } from './createWidgetParamsSchema.js';
import { getWidgetParameters } from './getWidgetParameters.js';
import type { ParamsFor, ProposedParams } from './OnRampParams.js';
import type { ParamsUse } from './ParamsUse.js';
import type { Widget } from './WidgetParameter.js';

const createSchemas = (widget: Widget) => ({
  premium: createWidgetParamsSchema(widget, 'premium'),
  basic: createWidgetParamsSchema(widget, 'basic'),
  proposal: createWidgetParamsSchema(widget, 'proposal'),
});

const schemas = { 'on-ramp': createSchemas('on-ramp'), nft: createSchemas('nft') };

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
  if (!Object.hasOwn(schemas, widget))
    throw createParamsError([{ param: 'widget', message: "must be 'on-ramp' or 'nft'" }]);
  const result = schemas[widget][use].safeParse(input);
  if (result.success) return result.data;
  throw createParamsError(result.error.issues.flatMap((issue) => toRampIssues(issue, widget)));
}

function toRampIssues(issue: z.core.$ZodIssue, widget: Widget): RampIssue[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ param: String(issue.path[0] ?? ''), message: issue.message }];
  return issue.keys.map((key) => ({ param: key, message: describeUnknownName(key, widget) }));
}

function describeUnknownName(name: string, widget: Widget): string {
  const rows = getWidgetParameters(widget);
  const row = rows.find((candidate) => candidate.name === name);
  if (row?.premiumOnly) return 'is for Premium Partners: it needs a signer';
  if (row) return 'is set by the signer and cannot be passed';
  const near = rows.find(
    (candidate) => candidate.name.toLowerCase() === name.toLowerCase() && !candidate.managed,
  );
  return near
    ? `is unknown: names are case-sensitive, use ${near.name}`
    : `is not a parameter of the ${widget} widget`;
}
