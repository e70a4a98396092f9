import * as z from 'zod/mini';
import { RampError, type RampIssue } from '../errors/RampError.js';
import { getWidgetParameters } from './getWidgetParameters.js';
import type { NftParams, OnRampParams, ParamsFor, ProposedParams } from './OnRampParams.js';
import { valueFormats } from './valueFormats.js';
import { signedTextSchema, textSchema } from './valueSchemas.js';
import type { Widget, WidgetParameter } from './WidgetParameter.js';

/**
 * Who the parameters come from. `premium`: what a Premium Partner gives its signer, complete.
 * `basic`: what a Basic Partner puts into an unsigned URL. `proposal`: what a page asks its backend
 * to sign; nothing is required, the backend's policy completes it.
 */
export type ParamsUse = 'premium' | 'basic' | 'proposal';

type Draft = Readonly<Record<string, string | undefined>>;

/**
 * The schema of one widget's parameters, derived from section 4.7. Values are strings; empty ones
 * count as absent; names outside the table are refused.
 */
export function widgetParamsSchema(widget: Widget, use: ParamsUse) {
  const rows = getWidgetParameters(widget).filter((row) => isAccepted(row, use));
  const shape = Object.fromEntries(rows.map((row) => [row.name, valueSchema(row, use)]));
  const known = new Set(rows.map((row) => row.name));
  return z.pipe(
    z.transform(omitEmptyValues),
    z
      .strictObject(shape, {
        error: (issue) =>
          issue.code === 'unrecognized_keys' ? undefined : 'must be a plain object of strings',
      })
      .check((payload) => {
        if (use === 'proposal') return;
        const params: Draft = payload.value;
        for (const row of rows)
          if (isMissing(row, params, known))
            payload.issues.push({
              code: 'custom',
              path: [row.needs ?? row.name],
              message: `is required ${row.needs ? `with ${row.name}` : `when type is ${row.required}`}`,
              input: params,
            });
      }),
  );
}

/** What a Premium Partner gives its signer for the on-ramp widget (section 4.7). */
export const onRampParamsSchema = widgetParamsSchema(
  'on-ramp',
  'premium',
) as unknown as z.ZodMiniType<OnRampParams, unknown>;

/** What a Premium Partner gives its signer for NFT checkout (section 4.7). */
export const nftParamsSchema = widgetParamsSchema('nft', 'premium') as unknown as z.ZodMiniType<
  NftParams,
  unknown
>;

const schemas = {
  'on-ramp': {
    premium: onRampParamsSchema,
    basic: widgetParamsSchema('on-ramp', 'basic'),
    proposal: widgetParamsSchema('on-ramp', 'proposal'),
  },
  nft: {
    premium: nftParamsSchema,
    basic: widgetParamsSchema('nft', 'basic'),
    proposal: widgetParamsSchema('nft', 'proposal'),
  },
};

/**
 * Checks what a caller gives for `widget` and answers it without its empty values.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with one issue for each parameter that is wrong.
 * @example
 * parseWidgetParams('on-ramp', { walletAddress: '0xF0', amount: '99.50' });
 */
export function parseWidgetParams<W extends Widget>(widget: W, input: unknown): ParamsFor<W>;
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

/** More of them would say nothing new; a body of made-up names must not blow up the answer. */
const MAX_ISSUES = 20;

/** One `ERR_PARAMS_INVALID` for a list of issues, its message a readable summary of them. */
export function createParamsError(
  issues: readonly RampIssue[],
  what = 'Widget parameters',
): RampError {
  const shown = issues.slice(0, MAX_ISSUES);
  const summary = shown.map(({ param, message }) => `${param || 'the parameters'} ${message}`);
  return new RampError('ERR_PARAMS_INVALID', `${what} refused: ${summary.join('; ')}.`, {
    issues: shown,
  });
}

function valueSchema(row: WidgetParameter, use: ParamsUse) {
  const { pattern, words } = valueFormats[row.format];
  const base =
    use !== 'basic' && row.signed === 'premium' && row.name !== 'ext'
      ? signedTextSchema
      : textSchema;
  const schema =
    row.format === 'text' ? base : base.check(z.regex(pattern, { error: `must be ${words}` }));
  return isRequired(row, use) ? schema : z.optional(schema);
}

function isAccepted(row: WidgetParameter, use: ParamsUse): boolean {
  if (row.managed) return false;
  if (row.name === 'partnerId') return use === 'basic';
  return !(row.premiumOnly && use === 'basic');
}

function isRequired(row: WidgetParameter, use: ParamsUse): boolean {
  if (use === 'proposal' || row.mayBeEmpty) return false;
  return row.required === 'always' || (row.required === 'premium' && use === 'premium');
}

function isMissing(row: WidgetParameter, params: Draft, known: ReadonlySet<string>): boolean {
  if (row.needs) return params[row.name] !== undefined && params[row.needs] === undefined;
  const conditional = row.required === 'MARKET' || row.required === 'MINT';
  return conditional && known.has('type') && params.type === row.required && !params[row.name];
}

/** Own, enumerable entries alone, on an object without prototype: nothing inherited slips in. */
function omitEmptyValues(input: unknown): unknown {
  if (Object.prototype.toString.call(input) !== '[object Object]') return undefined;
  if (Object.getOwnPropertySymbols(input).length > 0) return undefined;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(input as object))
    if (value !== '' && value !== undefined && value !== null) kept[name] = value;
  return kept;
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
  if (row) return 'is set by the signer and cannot be given';
  const near = rows.find(
    (candidate) => candidate.name.toLowerCase() === name.toLowerCase() && !candidate.managed,
  );
  return near
    ? `is unknown: names are case-sensitive, it is written ${near.name}`
    : `is not a parameter of the ${widget} widget`;
}
