import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrateOrderStore } from '../../../src/server/sql/index.js';
import { sqlDatabases } from '../../support/database/sqlDatabases.js';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly nullable: boolean | number;
}

/** The columns of each table. `?` marks a nullable column. */
const columns = {
  ramp_changes: 'changed_at id key not_before record reference? tries',
  ramp_checkouts:
    'announced_at? created_at expires_at id matched_order_id? merchant_order_no? open_until? opened_at? outcome? reference subject terms',
  ramp_migrations: 'version',
  ramp_orders:
    'changed_at delivered_at? id match_status order_id record reference? reviewed_for? unsettled_since?',
  ramp_replays: 'hash keep_until',
  ramp_state: 'environment? id lease_owner? lease_until partner_id? sync_revision sync_state?',
};

const indexes = {
  ramp_changes_due: 'not_before, id',
  ramp_checkouts_announced: 'announced_at',
  ramp_checkouts_listed: 'subject, created_at, reference',
  ramp_checkouts_open: 'open_until',
  ramp_checkouts_order_no: 'merchant_order_no, id',
  ramp_checkouts_subject: 'subject, id',
  ramp_checkouts_unmatched: 'expires_at, id',
  ramp_checkouts_unpaid: 'created_at, reference',
  ramp_orders_checkout: 'reference, id',
  ramp_orders_newest: 'changed_at, order_id',
  ramp_orders_match_status: 'match_status, changed_at, order_id',
  ramp_orders_unsettled: 'unsettled_since',
  ramp_replays_age: 'keep_until',
};

/** The `where` condition of each partial index. */
const partial = {
  ramp_checkouts_announced: 'announced_at is not null and matched_order_id is null',
  ramp_checkouts_listed: 'opened_at is not null',
  ramp_checkouts_open: 'open_until is not null',
  ramp_checkouts_order_no: 'merchant_order_no is not null',
  ramp_checkouts_unmatched: 'matched_order_id is null',
  ramp_checkouts_unpaid:
    'opened_at is not null and matched_order_id is null and announced_at is null',
  ramp_orders_checkout: 'reference is not null',
  ramp_orders_unsettled: 'unsettled_since is not null',
};

describe.each(sqlDatabases)('the schema in %s', (name, empty) => {
  const setUp = async () => {
    const database = await empty();
    const kysely = database.connect();
    await migrateOrderStore(kysely);
    return { kysely, schema: database.schema };
  };

  it('has the columns that the store uses, nullable where needed', async () => {
    const { kysely, schema } = await setUp();
    // Kysely's own introspection of PostgreSQL reads every schema, and fails when another test drops one meanwhile.
    const listed =
      name === 'PostgreSQL'
        ? sql<Column>`
            select table_name as "table", column_name as column, is_nullable = 'YES' as nullable
            from information_schema.columns where table_schema = ${schema}`
        : sql<Column>`
            select tables.name as "table", columns.name as "column", not columns."notnull" as nullable
            from sqlite_schema as tables, pragma_table_info(tables.name) as columns where tables.type = 'table'`;
    const found: Record<string, string[]> = {};
    for (const { table, column, nullable } of (await listed.execute(kysely)).rows) {
      if (!/^ramp_/.test(table)) continue;
      found[table] ??= [];
      // Ignore that `id` is nullable: SQLite reports its row ID as nullable, although it is never null.
      found[table].push(nullable && column !== 'id' ? `${column}?` : column);
    }
    const sorted = Object.entries(found).map(([table, names]) => [table, names.sort().join(' ')]);
    expect(Object.fromEntries(sorted)).toEqual(columns);
  });

  const readIndexes = async () => {
    const { kysely, schema } = await setUp();
    const query =
      name === 'SQLite'
        ? sql<{
            text: string;
          }>`select sql as text from sqlite_master where type = 'index' and sql is not null`
        : sql<{ text: string }>`select indexdef as text from pg_indexes
            where schemaname = ${schema} and indexname !~ '_(pkey|key)$'`;
    const { rows } = await query.execute(kysely);
    return rows.map(({ text }) => text);
  };

  it('has an index for each query', async () => {
    const texts = (await readIndexes()).filter((text) => !text.includes('_search_'));
    const found = texts.map((text) => {
      const plain = text.toLowerCase().replace(/["()]/g, (sign) => (sign === '"' ? '' : sign));
      const [, index = '', fields = '', condition = ''] =
        /^create index (\w+) on .*?\(([^)]*)\)(?: where (.*))?$/.exec(plain) ?? [];
      return { index, fields, condition: condition.replace(/[()]/g, '') };
    });
    expect(Object.fromEntries(found.map(({ index, fields }) => [index, fields]))).toEqual(indexes);
    const conditions = found.filter(({ condition }) => condition !== '');
    expect(
      Object.fromEntries(conditions.map(({ index, condition }) => [index, condition])),
    ).toEqual(partial);
  });

  it('has an index for each text that is searched', async () => {
    const found = (await readIndexes()).flatMap((text) => {
      const [name] = /\w+_search_\w+/.exec(text) ?? [];
      const [, condition] = / where \(?([^()]*)\)?$/i.exec(text) ?? [];
      return name ? [[name, condition?.toLowerCase()]] : [];
    });
    // A new checkout must not wait for the indexes of the search, so these indexes contain only opened checkouts.
    expect(Object.fromEntries(found)).toEqual({
      ramp_checkouts_search_reference: 'opened_at is not null',
      ramp_checkouts_search_wallet: 'opened_at is not null',
      ramp_orders_search_id: undefined,
      ramp_orders_search_transaction: undefined,
      ramp_orders_search_wallet: undefined,
    });
  });

  it('has one row of state, and refuses a second one', async () => {
    const { kysely } = await setUp();
    const { rows } = await sql<object>`select * from ramp_state`.execute(kysely);
    expect(rows.map((row) => Object.values(row).map((value) => value && Number(value)))).toEqual([
      [1, null, 0, null, 0, null, null],
    ]);
    const second = sql`insert into ramp_state (id, lease_until, sync_revision)
      values (2, 0, 0)`;
    await expect(second.execute(kysely)).rejects.toThrow(/check/i);
  });
});
