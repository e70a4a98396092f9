import * as z from 'zod';

/** The format of the references that the ramp handler creates. */
export const reference = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);

/**
 * The format of the service's order IDs, without control characters and lone surrogates, because
 * PostgreSQL rejects text with NUL.
 */
export const orderId = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u);
