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
import { toSqlDatabase } from '../../../src/server/sql/toSqlDatabase.js';

const MAX_MS = 2_147_483_647;

/** Creates a Kysely instance that never connects. */
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

describe('toSqlDatabase', () => {
  it('detects the dialect from the adapter', () => {
    expect(toSqlDatabase(postgres, {}, processRuntime).dialect).toBe('postgres');
    expect(toSqlDatabase(kyselyOf(new SqliteAdapter()), {}, processRuntime).dialect).toBe('sqlite');
  });

  it('prefers the dialect option to the adapter, even for an unknown adapter', () => {
    expect(toSqlDatabase(postgres, { dialect: 'sqlite' }, processRuntime).dialect).toBe('sqlite');
    expect(
      toSqlDatabase(kyselyOf(undefined), { dialect: 'postgres' }, processRuntime).dialect,
    ).toBe('postgres');
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
    expect(() => toSqlDatabase(kysely as never, options, processRuntime)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(message),
      }),
    );
  });

  it('limits transactions by default to 2 seconds for a lock, and 5 seconds for a statement and idle time, and 10 seconds for the work', () => {
    const limits = { lockMs: 2000, statementMs: 5000, idleMs: 5000, workMs: 10_000 };
    expect(toSqlDatabase(postgres, {}, processRuntime).limits).toEqual(limits);
    const mine = { lockMs: 1, idleMs: MAX_MS };
    expect(toSqlDatabase(postgres, { limits: mine }, processRuntime).limits).toEqual({
      ...limits,
      ...mine,
    });
    const unset = { lockMs: 1, idleMs: undefined };
    expect(toSqlDatabase(postgres, { limits: unset }, processRuntime).limits).toEqual({
      ...limits,
      lockMs: 1,
    });
  });

  it.each([
    { lockMs: 0 },
    { lockMs: MAX_MS + 1 },
    { idleMs: 1.5 },
    { statementMs: '5' },
    { workMs: 0 },
    { other: 1 },
  ])('refuses the limits %j', (limits) => {
    expect(() => toSqlDatabase(postgres, { limits: limits as never }, processRuntime)).toThrow(
      `sqlOrderStore expects { lockMs, statementMs, idleMs, workMs } as limits: whole milliseconds from 1 to ${MAX_MS}.`,
    );
  });
});
