/** Whether a text from outside may be a checkout's reference: worth asking the store for. */
export const isReference = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(value);
