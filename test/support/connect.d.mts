import type { Kysely } from 'kysely';

export function connect(target: string): Kysely<unknown>;
