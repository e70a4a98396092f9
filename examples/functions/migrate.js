// Creates the tables. Run it before you deploy, because the functions would all do it at the same time.
import { migrateOrderStore } from '@partner-ramp/react/server/sql';
import { sql } from 'kysely';
import { db } from './database.js';

await migrateOrderStore(db);
await sql`create table if not exists paid (order_id text primary key, user_id text)`.execute(db);
await sql`create table if not exists review
  (id text primary key, order_id text, user_id text, reason text)`.execute(db);
await db.destroy();
