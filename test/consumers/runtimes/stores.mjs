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

/**
 * Opens PostgreSQL by TCP with `pg`, or through the proxy at `NEON_PROXY` by WebSocket with Neon's driver.
 *
 * @param options - Further options of `postgresPool`.
 */
export async function openPostgres({ DATABASE_URL: connectionString, NEON_PROXY }, options = {}) {
  const { Pool } = NEON_PROXY ? await importNeon(NEON_PROXY) : (await import('pg')).default;
  const pool = postgresPool({ Pool, connectionString, ...options });
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

async function importNeon(proxy) {
  const neon = await import('@neondatabase/serverless');
  // Without these settings, the driver connects to Neon itself, with TLS.
  neon.neonConfig.wsProxy = (host, port) => `${proxy}/?address=${host}:${port}`;
  neon.neonConfig.useSecureWebSocket = false;
  neon.neonConfig.pipelineConnect = false;
  return neon;
}
