import type { Dialect, Kysely } from 'kysely';

export function dialectOf(target: string): Dialect;
export function connect(target: string): Kysely<unknown>;
