import { createHash } from 'node:crypto';

/** PostgreSQL indexes no text of more than 2,704 bytes. */
const MAX_LENGTH = 300;

/**
 * A name from outside as a key. PostgreSQL keeps no NUL, and no encoding keeps half of a surrogate pair:
 * one order with such a name would fail its whole page, at each sync again.
 */
export function toKey(name: string): string {
  const escaped = JSON.stringify(name).slice(1, -1);
  if (escaped.length <= MAX_LENGTH) return escaped;
  return `sha256:${createHash('sha256').update(escaped).digest('hex')}`;
}
