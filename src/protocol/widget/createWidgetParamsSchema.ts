import * as z from 'zod/mini';
import { getWidgetParameters } from './getWidgetParameters.js';
import type { ParamsUse } from './ParamsUse.js';
import { valueFormats } from './valueFormats.js';
import { signedTextSchema, textSchema } from './valueSchemas.js';
import type { Widget, WidgetParameter } from './WidgetParameter.js';

type Draft = Readonly<Record<string, string | undefined>>;

/**
 * Creates the schema of one widget's parameters from the table of docs/service-interface.md section 4.7.
 * Values are strings, empty values count as absent, and names outside the table are rejected. A parameter that
 * may be empty although it is required must still be passed: who forgets the memo of an XRP wallet loses the
 * money.
 */
export function createWidgetParamsSchema(widget: Widget, use: ParamsUse) {
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
