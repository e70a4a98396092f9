import { sql } from 'kysely';
import type { SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { retryWhileBusy } from '../transactions/retryWhileBusy.js';
import { withWriteLock } from '../transactions/withWriteLock.js';
import { migrations } from './migrations.js';

const MAX_MIGRATION_MS = 3_600_000;

/**
 * Creates or updates the tables. Several instances may call it concurrently. If the tables are up to date, it
 * changes nothing and needs no right to alter tables.
 */
export async function migrate(database: SqlDatabase): Promise<void> {
  if (database.dialect === 'sqlite') await configureSqlite(database);
  try {
    if ((await readVersion(database.db)) >= migrations.length) return;
  } catch {
    // It fails without tables. Any other error occurs again below.
  }
  // An index over a large table may take minutes.
  const limits = {
    ...database.limits,
    statementMs: MAX_MIGRATION_MS,
    workMs: MAX_MIGRATION_MS,
  };
  await withWriteLock({ ...database, limits }, async (db) => {
    const versions = db.schema.createTable('ramp_migrations').ifNotExists();
    await versions.addColumn('version', 'integer', (one) => one.primaryKey().notNull()).execute();
    const steps = [...migrations.entries()].slice(await readVersion(db));
    for (const [index, migration] of steps) {
      await migration(db, database.dialect);
      await db
        .insertInto('ramp_migrations')
        .values({ version: index + 1 })
        .execute();
    }
  });
}

async function readVersion(db: SqlConnection): Promise<number> {
  const { max } = db.fn;
  const newest = db.selectFrom('ramp_migrations').select(max('version').as('version'));
  return Number((await newest.executeTakeFirstOrThrow()).version);
}

/** Configures SQLite: acknowledged writes survive a loss of power, and readers do not wait for writers. */
async function configureSqlite({ db, runtime }: SqlDatabase): Promise<void> {
  await sql`pragma busy_timeout = 1000`.execute(db);
  await sql`pragma synchronous = full`.execute(db);
  await retryWhileBusy(runtime, () => sql`pragma journal_mode = wal`.execute(db));
}
