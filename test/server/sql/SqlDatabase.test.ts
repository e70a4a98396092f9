import { createRequire } from 'node:module';
import {
  type DialectAdapter,
  DummyDriver,
  Kysely,
  MysqlAdapter,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { processRuntime } from '../../../src/server/internal/runtime.js';
import { migrateOrderStore, sqlOrderStore } from '../../../src/server/sql/index.js';
import { type SqlOptions, toSqlDatabase } from '../../../src/server/sql/SqlDatabase.js';

const MAX_MS = 2_147_483_647;

/** Creates a Kysely instance with this adapter and a driver that never connects. */
const kyselyOf = (adapter: unknown) =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => adapter as DialectAdapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
const postgres = kyselyOf(new PostgresAdapter());

const open = (kysely: Kysely<unknown>, options: SqlOptions) =>
  toSqlDatabase('sqlOrderStore', kysely, options, processRuntime);

it.each([
  ['sqlOrderStore', sqlOrderStore],
  ['migrateOrderStore', migrateOrderStore],
] as const)('%s names itself in a refusal', async (name, call) => {
  const run = async () => call(undefined as never);
  await expect(run()).rejects.toMatchObject({
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringMatching(`^${name} needs a Kysely instance`),
  });
});

describe('toSqlDatabase', () => {
  it('detects the dialect from the adapter', () => {
    expect(open(postgres, {}).dialect).toBe('postgres');
    expect(open(kyselyOf(new SqliteAdapter()), {}).dialect).toBe('sqlite');
  });

  it('detects the dialect of another copy of Kysely, as a CommonJS shop has', () => {
    const other: typeof import('kysely') = createRequire(import.meta.url)('kysely');
    expect(other.SqliteAdapter).not.toBe(SqliteAdapter);
    expect(open(kyselyOf(new other.PostgresAdapter()), {}).dialect).toBe('postgres');
    expect(open(kyselyOf(new other.SqliteAdapter()), {}).dialect).toBe('sqlite');
  });

  it('prefers the dialect option to the adapter, even for an unknown adapter', () => {
    expect(open(postgres, { dialect: 'sqlite' }).dialect).toBe('sqlite');
    expect(open(kyselyOf(undefined), { dialect: 'postgres' }).dialect).toBe('postgres');
  });

  it.each<readonly [string, unknown, object, RegExp]>([
    ['no instance', undefined, {}, /^sqlOrderStore needs a Kysely instance: new Kysely/],
    ['another object', {}, {}, /^sqlOrderStore needs a Kysely instance: new Kysely/],
    [
      'another adapter',
      kyselyOf(new MysqlAdapter()),
      {},
      /supports PostgreSQL and SQLite only: pass/,
    ],
    [
      'another dialect',
      postgres,
      { dialect: 'mysql' },
      /supports PostgreSQL and SQLite only: pass/,
    ],
    [
      'a misspelt option',
      postgres,
      { dialec: 'sqlite' },
      /^sqlOrderStore has no option dialec\. Did you mean dialect\?/,
    ],
    ['an empty dialect', postgres, { dialect: '' }, /supports PostgreSQL and SQLite only: pass/],
  ])('refuses %s', (_, kysely, options, message) => {
    expect(() => open(kysely as never, options)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(message),
      }),
    );
  });

  it('limits transactions by default to 2 seconds for a lock, and 5 seconds for a statement and idle time, and 10 seconds for the work', () => {
    const limits = { lockMs: 2000, statementMs: 5000, idleMs: 5000, workMs: 10_000 };
    expect(open(postgres, {}).limits).toEqual(limits);
    const mine = { lockMs: 1, workMs: MAX_MS };
    expect(open(postgres, { limits: mine }).limits).toEqual({
      ...limits,
      ...mine,
    });
    const unset = { lockMs: 1, workMs: undefined };
    expect(open(postgres, { limits: unset }).limits).toEqual({
      ...limits,
      lockMs: 1,
    });
  });

  const range = `sqlOrderStore expects whole milliseconds from 1 to ${MAX_MS} as limits.`;
  it.each<readonly [unknown, string]>([
    [{ lockMs: 0 }, `${range}lockMs.`],
    [{ lockMs: MAX_MS + 1 }, `${range}lockMs.`],
    [{ workMs: 1.5 }, `${range}workMs.`],
    [{ statementMs: '5' }, `${range}statementMs. It is text, not a number`],
    [{ workMs: 0 }, `${range}workMs.`],
    [{ workMS: 1 }, 'sqlOrderStore has no option limits.workMS. Did you mean limits.workMs?'],
    [{ other: 1 }, 'sqlOrderStore has no option limits.other. It has limits.lockMs, limits.'],
    [5, 'sqlOrderStore expects { lockMs, statementMs, workMs } as limits.'],
  ])('refuses the limits %j', (limits, message) => {
    expect(() => open(postgres, { limits: limits as never })).toThrow(message);
  });
});
