/**
 * Identifies the caller with the same ids as the policy's `subject`; undefined when nobody is signed
 * in. The type has a file without Hono, whose types would otherwise be part of the public ones.
 */
export type GetSubject<Context> = (asked: {
  readonly request: Request;
  readonly context: Context;
}) => string | undefined | Promise<string | undefined>;
