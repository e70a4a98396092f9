export const isText = (value: unknown): boolean => typeof value === 'string';

/** For a field that may be missing: backends in some languages write that as `null`. */
export const isOptional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value == null || is(value);
