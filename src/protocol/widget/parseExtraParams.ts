import { createParamsError } from '../errors/createParamsError.js';
import type { RampIssue } from '../errors/RampError.js';
import { findSignedValueIssues, findValueIssues } from './paramIssues.js';
import { widgetParameters } from './widgetParameters.js';

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
