import { isRampError } from '../../../protocol/errors/isRampError.js';
import type { RampIssue } from '../../../protocol/errors/RampError.js';
import { getWidgetParameters } from '../../../protocol/widget/getWidgetParameters.js';
import { parseWidgetParams } from '../../../protocol/widget/parseWidgetParams.js';
import { valueFormats } from '../../../protocol/widget/valueFormats.js';
import type { Tier, Widget } from '../../../protocol/widget/WidgetParameter.js';

/**
 * Returns the invalid parameters of a URL whose signature is valid or not required. Names outside
 * docs/service-interface.md section 4.7 are ignored, because a service may have more parameters.
 */
export function findFormatIssues(
  widget: Widget,
  tier: Tier,
  params: Readonly<Record<string, string>>,
): readonly RampIssue[] {
  const issues: RampIssue[] = [];
  const given: Record<string, string> = {};
  for (const row of getWidgetParameters(widget)) {
    // A page sends no empty value, so a required parameter that may be empty is absent.
    const value = params[row.name] ?? (row.mayBeEmpty && '');
    if (value === undefined) continue;
    // The signer sets these parameters, so its own check does not accept them.
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
