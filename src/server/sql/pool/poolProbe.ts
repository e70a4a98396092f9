import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlConnection } from '../SqlDatabase.js';

/** Kysely hides the pool of its dialect. A pool of ours reports itself while a connection is taken. */
const probes = new AsyncLocalStorage<{ isOurs: boolean }>();

/** Called by `postgresPool` with each connection that is taken from it. */
export function reportOwnPool(): void {
  const probe = probes.getStore();
  if (probe) probe.isOurs = true;
}

/** Whether the connections of a Kysely instance come from `postgresPool`. */
export async function isOwnPool(db: SqlConnection): Promise<boolean> {
  const probe = { isOurs: false };
  await probes.run(probe, () => db.connection().execute(async () => {}));
  return probe.isOurs;
}
