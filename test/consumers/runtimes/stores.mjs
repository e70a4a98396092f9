// Opens the store of the backend. The databases are imported on demand, because workerd has no SQLite.
import { memoryOrderStore } from '@partner-ramp/react/server';
import { postgresPool, sqliteDialect, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { Kysely, PostgresDialect } from 'kysely';

/** Opens the store in the database that the environment names, and otherwise in memory. */
export async function openStore(env) {
  if (env.DATABASE_FILE) return sqlOrderStore(await openSqlite(env.DATABASE_FILE));
  return env.DATABASE_URL ? sqlOrderStore(await openPostgres(env)) : memoryOrderStore();
}

async function openSqlite(file) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  return new Kysely({ dialect: sqliteDialect(new DatabaseSync(file)) });
}

/** @param options - Further options of `postgresPool`. */
export async function openPostgres({ DATABASE_URL: connectionString }, options = {}) {
  const { default: pg } = await import('pg');
  const pool = postgresPool({ pg, connectionString, ...options });
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
