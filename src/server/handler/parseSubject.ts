import { createConfigError } from '../../protocol/errors/RampError.js';

/**
 * Validates the subject that `getSubject` returned. A number is refused: it never equals a stored subject, so
 * every checkout would be a 404.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when it is neither text nor absent.
 */
export function parseSubject(subject: unknown): string | undefined {
  if (subject == null || typeof subject === 'string') return subject ?? undefined;
  throw createConfigError(
    'getSubject',
    `returned a ${typeof subject}: it must return text, such as String(user.id), or undefined.`,
  );
}
