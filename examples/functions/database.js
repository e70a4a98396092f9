import { postgresPool } from '@partner-ramp/react/server/sql';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

// A process handles one request at a time, so it needs one connection.
const connectionString = process.env.DATABASE_URL;
const pool = postgresPool({ pg, connectionString, max: 1 });

export const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
