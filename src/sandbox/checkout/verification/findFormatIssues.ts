import { isRampError } from '../../../protocol/errors/isRampError.js';
import type { RampIssue } from '../../../protocol/errors/RampError.js';
import { getWidgetParameters } from '../../../protocol/widget/getWidgetParameters.js';
import { parseWidgetParams } from '../../../protocol/widget/parseWidgetParams.js';
import { valueFormats } from '../../../protocol/widget/valueFormats.js';
import type { Tier, Widget } from '../../../protocol/widget/WidgetParameter.js';

/**
 * What is wrong with the parameters of a URL whose signature is right (or that needs none): each
 * with its name. A name outside section 4.7 is ignored: a service may know more of them.
 */
export function findFormatIssues(
  widget: Widget,
  tier: Tier,
  params: Readonly<Record<string, string>>,
): readonly RampIssue[] {
  const issues: RampIssue[] = [];
  const given: Record<string, string> = {};
  for (const row of getWidgetParameters(widget)) {
    const value = params[row.name];
    if (value === undefined) continue;
    // What the signer makes cannot be given to the signer's own check.
    if (row.managed || (row.name === 'partnerId' && tier === 'premium')) {
      const { pattern, words } = valueFormats[row.format];
      if (!pattern.test(value)) issues.push({ param: row.name, message: `must be ${words}` });
    } else given[row.name] = value;
  }
  try {
    if (tier === 'premium') parseWidgetParams(widget, given);
    else parseWidgetParams(widget, given, 'basic');
  } catch (error) {
    if (!isRampError(error)) throw error;
    issues.push(...(error.issues ?? []));
  }
  return issues;
}
