import { createConfigError } from '../../protocol/errors/createConfigError.js';

/**
 * Returns the subject that `getSubject` returned. A number is refused: it equals no stored subject, so every
 * checkout would be a 404.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export function parseSubject(subject: unknown): string | undefined {
  if (subject == null || typeof subject === 'string') return subject ?? undefined;
  throw createConfigError(
    'getSubject',
    `returned a ${typeof subject}: it must return text, such as String(user.id), or undefined.`,
  );
}
