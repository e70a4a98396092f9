import { RampError, type RampIssue } from './RampError.js';

/** The number of issues in an error: a body with many invented names must not inflate the response. */
const MAX_ISSUES = 20;

/**
 * Creates an `ERR_PARAMS_INVALID` error from a list of issues. Its message summarizes them.
 *
 * @param what - The subject of the message, before "refused".
 */
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
