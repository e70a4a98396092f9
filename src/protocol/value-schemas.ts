import * as z from 'zod/mini';
import { LONE_SURROGATE } from './encode-value.js';
import type { RampIssue } from './ramp-error.js';
import { MAX_SIGNED_LENGTH, SPLITTABLE } from './value-formats.js';

/** Any value of a widget URL. */
export const text = z
  .string({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string'),
  })
  .check(
    z.refine((value) => !/\p{Surrogate}/u.test(value), {
      error: LONE_SURROGATE,
      abort: true,
    }),
  );

/** A value that takes part in the signature as it is. */
export const signedText = text.check(
  z.maxLength(MAX_SIGNED_LENGTH, {
    error: `is longer than ${MAX_SIGNED_LENGTH} characters`,
    abort: true,
  }),
  z.refine((value) => !SPLITTABLE.test(value), {
    error:
      'will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters',
  }),
);

/** What is wrong with one value of a widget URL. Empty when nothing is. */
export const valueIssues = (param: string, value: unknown) => issuesOf(text, param, value);

/** What is wrong with one value that will be signed, whatever its name. Empty when nothing is. */
export const signedValueIssues = (param: string, value: unknown) =>
  issuesOf(signedText, param, value);

function issuesOf(schema: z.ZodMiniType, param: string, value: unknown): readonly RampIssue[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map(({ message }) => ({ param, message }));
}
