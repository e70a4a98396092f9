import * as z from 'zod/mini';
import { createParamsError } from '../../../../protocol/errors/RampError.js';
import { parseWidgetParams } from '../../../../protocol/widget/parseWidgetParams.js';
import { readJson } from '../../../internal/readJson.js';

const envelope = z.strictObject({
  widget: z.enum(['on-ramp', 'nft'], { error: "must be 'on-ramp' or 'nft'" }),
  params: z.optional(z.unknown()),
});

/** The longest proposed value. The proposal is stored with the intent, and anyone can send one. */
const MAX_VALUE_LENGTH = 512;

/**
 * Reads the proposal `{ widget, params }` of a page. It validates only the format: the policy decides.
 *
 * @throws RampError `ERR_REQUEST` as {@link readJson} does, `ERR_PARAMS_INVALID` for a malformed proposal.
 */
export async function readProposal(request: Request) {
  const result = envelope.safeParse(await readJson(request));
  if (!result.success)
    throw createParamsError(
      result.error.issues.map((issue) => ({
        param: String(issue.path[0] ?? ''),
        message: issue.path[0] ? issue.message : 'must be { widget, params }',
      })),
    );
  const { widget, params = {} } = result.data;
  const proposal = parseWidgetParams(widget, params, 'proposal');
  const tooLong = Object.entries(proposal).filter(
    ([, value]) => String(value).length > MAX_VALUE_LENGTH,
  );
  if (tooLong.length > 0)
    throw createParamsError(
      tooLong.map(([param]) => ({
        param,
        message: `is longer than ${MAX_VALUE_LENGTH} characters`,
      })),
    );
  if (proposal.ext !== undefined)
    throw createParamsError([
      {
        param: 'ext',
        message:
          'carries the checkout reference and is set by the backend: put your data into the metadata that the policy returns',
      },
    ]);
  return { widget, proposal };
}
