import type * as z from 'zod/mini';
import { createParamsError } from '../../protocol/errors/createParamsError.js';

/**
 * Parses an untrusted value with a schema.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function parseWithSchema<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw createParamsError(
    result.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? { param: issue.keys.join(', '), message: 'is unknown' }
        : { param: issue.path.join('.'), message: issue.message },
    ),
  );
}
