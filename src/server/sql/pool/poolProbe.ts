import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlConnection } from '../SqlDatabase.js';

/** Kysely hides the pool of its dialect, so `postgresPool` reports itself when a connection is acquired. */
const probes = new AsyncLocalStorage<{ isOurs: boolean }>();

/** Reports that a connection of `postgresPool` is acquired. */
export function reportOwnPool(): void {
  const probe = probes.getStore();
  if (probe) probe.isOurs = true;
}

/** Returns whether `postgresPool` created the pool of a Kysely instance. */
export async function isOwnPool(db: SqlConnection): Promise<boolean> {
  const probe = { isOurs: false };
  await probes.run(probe, () => db.connection().execute(async () => {}));
  return probe.isOurs;
}
