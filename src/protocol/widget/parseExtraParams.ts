import { createParamsError } from '../errors/createParamsError.js';
import type { RampIssue } from '../errors/RampError.js';
import { findSignedValueIssues, findValueIssues } from './valueSchemas.js';
import { widgetParameters } from './widgetParameters.js';

/** Parameters a service has beyond section 4.7 (themes, time-outs): text values by name. */
export type ExtraParams = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;
const tableNames: ReadonlySet<string> = new Set(widgetParameters.map((row) => row.name));

/**
 * Validates parameters outside the table and returns them without empty values. A name of the table
 * is rejected, because its own rules would not apply here.
 *
 * @throws RampError `ERR_PARAMS_INVALID`
 */
export function parseExtraParams(
  given: ExtraParams | undefined,
  use: 'signed' | 'unsigned',
  others: ExtraParams = {},
): Record<string, string> {
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
  if (tableNames.has(name))
    return 'has rules of its own: give it with the parameters, not as an extra one';
  if (!NAME.test(name))
    return 'is no name for a parameter: a letter, then letters, digits, . _ or -';
  return Object.hasOwn(others, name) ? 'is given both signed and unsigned' : undefined;
}
