import type { Dialect, Kysely } from 'kysely';
import type { postgresPool } from '../../../src/server/sql/index.js';

export function connectWith(pool: typeof postgresPool): {
  readonly dialectOf: (target: string) => Dialect;
  readonly connect: (target: string) => Kysely<unknown>;
};
