export const isText = (value: unknown): boolean => typeof value === 'string';

/** Accepts a missing field: backends in some languages write it as `null`. */
export const isOptional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value == null || is(value);
