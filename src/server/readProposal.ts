import * as z from 'zod/mini';
import { paramsError, parseWidgetParams } from '../protocol/widget-schemas.js';
import { RequestRefused } from './http-errors.js';

const MAX_BODY_BYTES = 16 * 1024;

const envelope = z.strictObject({
  widget: z.enum(['on-ramp', 'nft'], { error: "must be 'on-ramp' or 'nft'" }),
  params: z.optional(z.unknown()),
});

/**
 * The body as text, as far as it is taken. By hand: Hono's own limit makes a new Request of what
 * may be the adapter's own kind of Request, and fails.
 */
async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES)
      throw new RequestRefused(413, `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Reads `{ widget, params }` of a page. What it proposes is checked in form alone: the policy decides.
 *
 * @throws RampError `ERR_REQUEST` for a body that is too large or no JSON, `ERR_PARAMS_INVALID`.
 */
export async function readProposal(request: Request) {
  let body: unknown;
  try {
    body = JSON.parse(await readText(request));
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    throw new RequestRefused(400, 'The body is not JSON.');
  }
  const result = envelope.safeParse(body);
  if (!result.success)
    throw paramsError(
      result.error.issues.map((issue) => ({
        param: String(issue.path[0] ?? ''),
        message: issue.path[0] ? issue.message : 'must be { widget, params }',
      })),
    );
  const { widget, params = {} } = result.data;
  const proposal = parseWidgetParams(widget, params, 'proposal');
  if (proposal.ext !== undefined)
    throw paramsError([
      {
        param: 'ext',
        message:
          'carries the checkout reference and is set by the backend: keep your own data in the metadata that the policy answers',
      },
    ]);
  return { widget, proposal };
}
