import { createHash } from 'node:crypto';

/** The longest text that becomes a key unhashed. PostgreSQL cannot index a text of more than 2,704 bytes. */
const MAX_LENGTH = 300;

/**
 * Returns a key for an external name. PostgreSQL cannot store NUL, and no encoding can store half of a
 * surrogate pair: an order with such a name would fail its whole page at every sync.
 */
export function toKey(name: string): string {
  const escaped = JSON.stringify(name).slice(1, -1);
  if (escaped.length <= MAX_LENGTH) return escaped;
  return `sha256:${createHash('sha256').update(escaped).digest('hex')}`;
}
