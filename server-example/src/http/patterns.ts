import * as z from 'zod';

/** A checkout's reference: the characters that the ramp handler gives to one. */
export const reference = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);

/**
 * An order's id as the service gave it. It has no control characters and no lone surrogates:
 * PostgreSQL refuses a text with NUL.
 */
export const orderId = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u);
