import type { Runtime } from './runtime.js';

const REFERENCE = /^[A-Za-z0-9._-]{1,128}$/;
const CREATED_REFERENCE = /^[A-Za-z0-9_-]{22}$/;

/** Creates the reference of a checkout: 128 random bits in 22 characters that URL encoders do not change. */
export const createReference = ({ randomBytes }: Pick<Runtime, 'randomBytes'>): string =>
  randomBytes(16).toString('base64url');

/** Returns whether a text has the format of {@link createReference}. */
export const isCreatedReference = (text: string): boolean => CREATED_REFERENCE.test(text);

/**
 * Returns whether a value can be looked up as a reference: 1 to 128 letters, digits, `.`, `_` or `-`. References that
 * this package creates have 22 characters: see {@link isCreatedReference}.
 */
export const isReference = (value: unknown): value is string =>
  typeof value === 'string' && REFERENCE.test(value);
