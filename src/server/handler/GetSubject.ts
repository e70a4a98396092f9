/**
 * Identifies the caller with the same ids as the policy's `subject`, or returns undefined when the caller is
 * not signed in. The type is in a file without Hono, so that Hono's types do not become public.
 */
export type GetSubject<Context> = (caller: {
  readonly request: Request;
  readonly context: Context;
}) => string | undefined | Promise<string | undefined>;
