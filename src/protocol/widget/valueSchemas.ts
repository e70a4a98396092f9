import * as z from 'zod/mini';
import type { RampIssue } from '../errors/RampError.js';
import { LONE_SURROGATE } from './encodeQueryValue.js';
import { AMBIGUOUS_CHARACTERS, MAX_SIGNED_LENGTH } from './valueFormats.js';

/** Any value of a widget URL. */
export const textSchema = z
  .string({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string'),
  })
  .check(
    z.refine((value) => !/\p{Surrogate}/u.test(value), {
      error: LONE_SURROGATE,
      abort: true,
    }),
  );

/** A value that is signed unencoded. */
export const signedTextSchema = textSchema.check(
  z.maxLength(MAX_SIGNED_LENGTH, {
    error: `is longer than ${MAX_SIGNED_LENGTH} characters`,
    abort: true,
  }),
  z.refine((value) => !AMBIGUOUS_CHARACTERS.test(value), {
    error:
      'will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters',
  }),
);

/** Returns the issues of one value of a widget URL. */
export const findValueIssues = (param: string, value: unknown) =>
  findIssues(textSchema, param, value);

/** Returns the issues of one value that will be signed under any name. */
export const findSignedValueIssues = (param: string, value: unknown) =>
  findIssues(signedTextSchema, param, value);

function findIssues(schema: z.ZodMiniType, param: string, value: unknown): readonly RampIssue[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map(({ message }) => ({ param, message }));
}
