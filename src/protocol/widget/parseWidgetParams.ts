import * as z from 'zod/mini';
import { createParamsError, type RampIssue } from '../errors/RampError.js';
import { LONE_SURROGATE } from '../query.js';
import { AMBIGUOUS_CHARACTERS, MAX_SIGNED_LENGTH, valueFormats } from './valueFormats.js';
import {
  getWidgetParameters,
  type ParameterName,
  type RowOf,
  type Widget,
  type WidgetParameter,
  widgetParameters,
} from './widgetParameters.js';

/** The rows that a caller passes; the signer adds the others. */
type Given<W extends Widget> = Exclude<RowOf<W>, { managed: true } | { name: 'partnerId' }>;

type ValueOf<R> = R extends { format: 'flag' }
  ? '0' | '1'
  : R extends { format: 'nftType' }
    ? 'MARKET' | 'MINT'
    : string;

type Required<R extends { required: string }> = Extract<R, { required: 'premium' | 'always' }>;

type ParamsOf<R extends { name: string; required: string }> = {
  [P in Required<R> as P['name']]: ValueOf<P>;
} & {
  [P in Exclude<R, Required<R>> as P['name']]?: ValueOf<P> | undefined;
};

/** The parameters that a Premium Partner signs and sends for the on-ramp widget: strings by name. */
export type OnRampParams = ParamsOf<Given<'on-ramp'>>;

/** The parameters that a Premium Partner signs and sends for NFT checkout. */
export type NftParams = ParamsOf<Given<'nft'>> &
  (
    | { type: 'MARKET'; tokenId: string; ownerWalletAddress: string }
    | { type: 'MINT'; mintQuantity: string }
  );

/** The parameters of one widget, as {@link OnRampParams} or {@link NftParams}. */
export type ParamsFor<W extends Widget> = W extends 'nft' ? NftParams : OnRampParams;

/**
 * The parameters that a page proposes for signing: any parameters of the widget; the backend decides. No
 * value is `undefined`, so the type is assignable to {@link WidgetParams}.
 */
export type ProposedParams<W extends Widget = Widget> = {
  readonly [N in ParameterName<W>]?: string;
};

/**
 * The use of the parameters. `premium`: the complete parameters that a Premium Partner signs. `basic`: the
 * parameters of a Basic Partner's unsigned URL. `proposal`: the parameters that a page proposes to its
 * backend; all are optional, because the backend's policy completes them.
 */
export type ParamsUse = 'premium' | 'basic' | 'proposal';

/** Any value of a widget URL. */
const textSchema = z
  .string({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string'),
  })
  .check(
    z.refine((value) => !/\p{Surrogate}/u.test(value), {
      error: LONE_SURROGATE,
      abort: true,
    }),
  );

/** A value that is signed unencoded. */
const signedTextSchema = textSchema.check(
  z.maxLength(MAX_SIGNED_LENGTH, {
    error: `is longer than ${MAX_SIGNED_LENGTH} characters`,
    abort: true,
  }),
  z.refine((value) => !AMBIGUOUS_CHARACTERS.test(value), {
    error:
      'will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters',
  }),
);

/** Returns the issues of one value of a widget URL. */
const findValueIssues = (param: string, value: unknown) => findIssues(textSchema, param, value);

/** Returns the issues of one value that will be signed under any name. */
const findSignedValueIssues = (param: string, value: unknown) =>
  findIssues(signedTextSchema, param, value);

function findIssues(schema: z.ZodMiniType, param: string, value: unknown): readonly RampIssue[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map(({ message }) => ({ param, message }));
}

type Draft = Readonly<Record<string, string | undefined>>;

/**
 * Creates the schema of one widget's parameters from the table of docs/service-interface.md section 4.7.
 * Values are strings, empty values count as absent, and names outside the table are rejected. A parameter that
 * may be empty although it is required must still be passed: who forgets the memo of an XRP wallet loses the
 * money.
 */
function createWidgetParamsSchema(widget: Widget, use: ParamsUse) {
  const rows = getWidgetParameters(widget).filter((row) => isAccepted(row, use));
  const shape = Object.fromEntries(rows.map((row) => [row.name, createValueSchema(row, use)]));
  const known = new Set(rows.map((row) => row.name));
  const mayBeEmpty = new Set(rows.flatMap((row) => (row.mayBeEmpty ? [row.name] : [])));
  const params = z.pipe(
    z.transform((input) => omitEmptyValues(input, mayBeEmpty)),
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
              message: `is required${describeCondition(row)}`,
              input: params,
            });
      }),
  );
  return z.pipe(
    params,
    z.transform((parsed) => omitEmptyValues(parsed) as typeof parsed),
  );
}

function describeCondition({ needs, name, mayBeEmpty, required }: WidgetParameter): string {
  if (needs) return ` with ${name}`;
  return mayBeEmpty ? ", and is '' for a chain without tags" : ` when type is ${required}`;
}

function createValueSchema(row: WidgetParameter, use: ParamsUse) {
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
  if (row.mayBeEmpty) return params[row.name] === undefined;
  if (row.needs) return params[row.name] !== undefined && params[row.needs] === undefined;
  const conditional = row.required === 'MARKET' || row.required === 'MINT';
  return conditional && known.has('type') && params.type === row.required && !params[row.name];
}

/** Copies the own, enumerable entries to an object without a prototype, so that no inherited value is used. */
function omitEmptyValues(
  input: unknown,
  mayBeEmpty: ReadonlySet<string> = new Set(),
): Record<string, unknown> | undefined {
  if (Object.prototype.toString.call(input) !== '[object Object]') return undefined;
  if (Object.getOwnPropertySymbols(input).length > 0) return undefined;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(input as object))
    if ((value !== '' || mayBeEmpty.has(name)) && value !== undefined && value !== null)
      kept[name] = value;
  return kept;
}

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

/** Parameters of a service beyond docs/service-interface.md section 4.7 (themes, time-outs): text values by name. */
export type ExtraParams = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;
const tableNames: ReadonlySet<string> = new Set(widgetParameters.map((row) => row.name));

/**
 * Validates parameters outside the table and returns them without empty values. A name of the table is
 * rejected, because the rules of that parameter would not apply here.
 *
 * @param others - Extra parameters whose names must not be used again.
 * @throws RampError `ERR_PARAMS_INVALID` with one issue for each invalid name or value.
 */
export function parseExtraParams(
  given: ExtraParams | undefined,
  use: 'signed' | 'unsigned',
  others: ExtraParams = {},
): Record<string, string> {
  const option = use === 'signed' ? 'extraSignedParams' : 'extraParams';
  if (given != null && Object.prototype.toString.call(given) !== '[object Object]')
    throw createParamsError([{ param: option, message: 'must be a plain object of strings' }]);
  const issues: RampIssue[] = [];
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(given ?? {})) {
    const wrong = findNameIssue(name, others);
    if (wrong) issues.push({ param: name, message: wrong });
    else if (value !== '' && value !== undefined && value !== null) {
      issues.push(...(use === 'signed' ? findSignedValueIssues : findValueIssues)(name, value));
      kept.push([name, value]);
    }
  }
  if (issues.length > 0) throw createParamsError(issues);
  return Object.fromEntries(kept);
}

function findNameIssue(name: string, others: ExtraParams): string | undefined {
  if (tableNames.has(name)) return 'is not an extra parameter: pass it with the other parameters';
  if (!NAME.test(name)) return 'is not a valid name: use a letter, then letters, digits, . _ or -';
  return Object.hasOwn(others, name) ? 'is passed both signed and unsigned' : undefined;
}
