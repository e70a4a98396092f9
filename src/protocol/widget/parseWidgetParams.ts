import { createParamsError, type RampIssue } from '../errors/RampError.js';
import { LONE_SURROGATE } from '../query.js';
import { AMBIGUOUS_CHARACTERS, MAX_SIGNED_LENGTH, valueFormats } from './valueFormats.js';
import {
  type FormatValues,
  getWidgetParameters,
  type ParameterFormat,
  type ParameterName,
  type RowOf,
  type Widget,
  type WidgetParameter,
  widgetParameters,
} from './widgetParameters.js';

/** The table rows of the parameters that a caller passes. The signer adds the others, such as `timestamp`. */
type Given<W extends Widget> = Exclude<RowOf<W>, { managed: true } | { name: 'partnerId' }>;

type Required<R extends { required: string }> = Extract<R, { required: 'premium' | 'always' }>;

type ParamsOf<R extends { name: string; required: string; format: ParameterFormat }> = {
  [P in Required<R> as P['name']]: FormatValues[P['format']];
} & {
  [P in Exclude<R, Required<R>> as P['name']]?: FormatValues[P['format']] | undefined;
};

/** The parameters that a Premium Partner signs and sends for the on-ramp widget: strings by parameter name. */
export type OnRampParams = ParamsOf<Given<'on-ramp'>>;

/** The parameters that a Premium Partner signs and sends for NFT checkout. */
export type NftParams = ParamsOf<Given<'nft'>> &
  (
    | { type: 'MARKET'; tokenId: string; ownerWalletAddress: string }
    | { type: 'MINT'; mintQuantity: string }
  );

/** The parameters that `W` takes, for code that handles either widget. */
export type ParamsFor<W extends Widget> = W extends 'nft' ? NftParams : OnRampParams;

/**
 * The parameters that a page proposes for signing. The page may propose any parameter of the widget, and the backend
 * decides which ones are signed. No value is `undefined`, so the type is assignable to `WidgetParams`.
 */
export type ProposedParams<W extends Widget = Widget> = {
  readonly [N in ParameterName<W>]?: string;
};

/**
 * What the parameters are for. `premium`: the complete parameters that a Premium Partner signs. `basic`: the
 * parameters of a Basic Partner's unsigned URL. `proposal`: the parameters that a page proposes to its backend; all
 * are optional, because the backend's policy completes them.
 */
export type ParamsUse = 'premium' | 'basic' | 'proposal';

// This file uses no schema library, to keep the server's entry small: the signer validates synchronously, so every
// import of the entry loads this file.

type Values = Readonly<Record<string, unknown>>;

function isAccepted(row: WidgetParameter, use: ParamsUse): boolean {
  if (row.managed) return false;
  if (row.name === 'partnerId') return use === 'basic';
  return !(row.premiumOnly && use === 'basic');
}

/** Returns the table rows of the parameters that callers may pass for `use`, the conditional ones, and all names. */
const selectRows = (widget: Widget, use: ParamsUse) => {
  const rows = getWidgetParameters(widget).filter((row) => isAccepted(row, use));
  const conditional = rows.filter(isConditional);
  return { rows, conditional, names: new Set(rows.map(({ name }) => name)) };
};

const selectByUse = (widget: Widget) => ({
  premium: selectRows(widget, 'premium'),
  basic: selectRows(widget, 'basic'),
  proposal: selectRows(widget, 'proposal'),
});

const accepted = { 'on-ramp': selectByUse('on-ramp'), nft: selectByUse('nft') };

/**
 * Checks one widget's parameters against the table in section 4.7 of the service interface. Names outside the table are
 * issues too. A required parameter that may be empty must still be passed, as `''`, because a partner who forgets the
 * memo of an XRP wallet would lose the money.
 *
 * @param params - The values by name, on an object without a prototype. A value is `''` only if its parameter may be
 * empty.
 */
function findParamIssues(widget: Widget, params: Values, use: ParamsUse): RampIssue[] {
  const { rows, conditional, names } = accepted[widget][use];
  const issues: RampIssue[] = [];
  for (const row of rows) {
    const value = params[row.name];
    if (value !== undefined || isRequired(row, use)) issues.push(...findRowIssues(row, value, use));
  }
  for (const param of Object.keys(params))
    if (!names.has(param)) issues.push({ param, message: describeUnknownName(param, widget) });
  if (use === 'proposal') return issues;
  const invalid = new Set(issues.map(({ param }) => param));
  for (const row of conditional) {
    const param = row.needs ?? row.name;
    if (!invalid.has(param) && isMissing(row, params, names))
      issues.push({ param, message: `is required${describeCondition(row)}` });
  }
  return issues;
}

/** Checks the rules that hold for every value: it must be a string, and a URL must be able to carry it. */
function findValueIssues(param: string, value: unknown): RampIssue[] {
  if (typeof value !== 'string')
    return [{ param, message: value === undefined ? 'is required' : 'must be a string' }];
  return /\p{Surrogate}/u.test(value) ? [{ param, message: LONE_SURROGATE }] : [];
}

/**
 * Checks the rules that hold for every value that is signed without encoding, including the rules of
 * {@link findValueIssues}.
 */
function findSignedValueIssues(param: string, value: unknown): RampIssue[] {
  const issues = findValueIssues(param, value);
  if (issues.length > 0 || typeof value !== 'string') return issues;
  if (value.length > MAX_SIGNED_LENGTH)
    return [{ param, message: `is longer than ${MAX_SIGNED_LENGTH} characters` }];
  return AMBIGUOUS_CHARACTERS.test(value)
    ? [
        {
          param,
          message:
            'will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters',
        },
      ]
    : [];
}

function findRowIssues(row: WidgetParameter, value: unknown, use: ParamsUse): RampIssue[] {
  const { name: param, format } = row;
  const isSigned = use !== 'basic' && row.signed === 'premium' && param !== 'ext';
  const issues = (isSigned ? findSignedValueIssues : findValueIssues)(param, value);
  const { pattern, words } = valueFormats[format];
  if (typeof value === 'string' && format !== 'text' && !pattern.test(value))
    issues.push({ param, message: `must be ${words}` });
  return issues;
}

function isRequired(row: WidgetParameter, use: ParamsUse): boolean {
  if (use === 'proposal' || row.mayBeEmpty) return false;
  return row.required === 'always' || (row.required === 'premium' && use === 'premium');
}

/**
 * Returns whether a parameter is required for some values of other parameters, or must be passed although it may be
 * empty.
 */
function isConditional({ mayBeEmpty, needs, required }: WidgetParameter): boolean {
  return Boolean(mayBeEmpty || needs) || required === 'MARKET' || required === 'MINT';
}

/** Returns whether a conditional parameter is missing. */
function isMissing(row: WidgetParameter, params: Values, known: ReadonlySet<string>): boolean {
  if (row.mayBeEmpty) return params[row.name] === undefined;
  if (row.needs) return params[row.name] !== undefined && params[row.needs] === undefined;
  return known.has('type') && params.type === row.required && !params[row.name];
}

function describeCondition({ needs, name, mayBeEmpty, required }: WidgetParameter): string {
  if (needs) return ` with ${name}`;
  return mayBeEmpty ? ", and is '' for a chain without tags" : ` when type is ${required}`;
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

const rowsOf = { 'on-ramp': getWidgetParameters('on-ramp'), nft: getWidgetParameters('nft') };

/**
 * Validates the complete parameters that a Premium Partner signs, and returns them without empty values.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with an issue for each invalid parameter.
 * @example
 * parseWidgetParams('on-ramp', { walletAddress: '0xF0', amount: '99.50' });
 */
export function parseWidgetParams<W extends Widget>(widget: W, input: unknown): ParamsFor<W>;
/** Validates the parameters of an unsigned URL (`basic`), or those that a page proposes (`proposal`). */
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
  // Return the parameters in the order of the table. Drop `''`, which is neither sent nor signed.
  const parsed: Record<string, unknown> = Object.create(null);
  for (const { name } of rowsOf[widget]) if (params[name]) parsed[name] = params[name];
  return parsed;
}

/**
 * Copies the values of `input` to an object without a prototype, so that no inherited value is used. Drops `null`,
 * `undefined`, and `''` unless the parameter may be empty. Returns `undefined` when `input` is not a plain object.
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

/**
 * Parameters that a service takes but section 4.7 of the service interface does not list, such as a theme: text values
 * by name.
 */
export type ExtraParams = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;
const tableNames: ReadonlySet<string> = new Set(widgetParameters.map((row) => row.name));

/**
 * Validates extra parameters and returns them without empty values. A name in the table of section 4.7 is rejected,
 * because this function does not check that parameter's rules.
 *
 * @param others - Extra parameters whose names must not be used again.
 * @throws RampError `ERR_PARAMS_INVALID` with an issue for each invalid name or value.
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
