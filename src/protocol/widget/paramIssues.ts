import type { RampIssue } from '../errors/RampError.js';
import { LONE_SURROGATE } from './encodeQueryValue.js';
import { getWidgetParameters } from './getWidgetParameters.js';
import type { ParamsUse } from './ParamsUse.js';
import { AMBIGUOUS_CHARACTERS, MAX_SIGNED_LENGTH, valueFormats } from './valueFormats.js';
import type { Widget, WidgetParameter } from './WidgetParameter.js';

// Without a schema library: the signer validates synchronously, so its validation is loaded with every import of
// the server's entry.

type Values = Readonly<Record<string, unknown>>;

function isAccepted(row: WidgetParameter, use: ParamsUse): boolean {
  if (row.managed) return false;
  if (row.name === 'partnerId') return use === 'basic';
  return !(row.premiumOnly && use === 'basic');
}

/** The rows of a widget that callers may pass for a use, and their names. */
const selectRows = (widget: Widget, use: ParamsUse) => {
  const rows = getWidgetParameters(widget).filter((row) => isAccepted(row, use));
  return { rows, names: new Set(rows.map(({ name }) => name)) };
};

const selectByUse = (widget: Widget) => ({
  premium: selectRows(widget, 'premium'),
  basic: selectRows(widget, 'basic'),
  proposal: selectRows(widget, 'proposal'),
});

const accepted = { 'on-ramp': selectByUse('on-ramp'), nft: selectByUse('nft') };

/**
 * Finds the issues of one widget's parameters according to the table of docs/service-interface.md section 4.7.
 * Names outside the table are issues too. A parameter that may be empty although it is required must still be
 * passed: who forgets the memo of an XRP wallet loses the money.
 *
 * @param params - The values by name, without prototype. Empty values are only those that may be empty.
 */
export function findParamIssues(widget: Widget, params: Values, use: ParamsUse): RampIssue[] {
  const { rows, names } = accepted[widget][use];
  const issues = rows.flatMap((row) => findRowIssues(row, params[row.name], use));
  for (const param of Object.keys(params))
    if (!names.has(param)) issues.push({ param, message: describeUnknownName(param, widget) });
  if (use === 'proposal') return issues;
  const invalid = new Set(issues.map(({ param }) => param));
  for (const row of rows) {
    const param = row.needs ?? row.name;
    if (!invalid.has(param) && isMissing(row, params, names))
      issues.push({ param, message: `is required${describeCondition(row)}` });
  }
  return issues;
}

/** Returns the issues of one value of a widget URL. */
export function findValueIssues(param: string, value: unknown): RampIssue[] {
  if (typeof value !== 'string')
    return [{ param, message: value === undefined ? 'is required' : 'must be a string' }];
  return /\p{Surrogate}/u.test(value) ? [{ param, message: LONE_SURROGATE }] : [];
}

/** Returns the issues of one value that is signed unencoded under any name. */
export function findSignedValueIssues(param: string, value: unknown): RampIssue[] {
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
  if (value === undefined && !isRequired(row, use)) return [];
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

function isMissing(row: WidgetParameter, params: Values, known: ReadonlySet<string>): boolean {
  if (row.mayBeEmpty) return params[row.name] === undefined;
  if (row.needs) return params[row.name] !== undefined && params[row.needs] === undefined;
  const conditional = row.required === 'MARKET' || row.required === 'MINT';
  return conditional && known.has('type') && params.type === row.required && !params[row.name];
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
