import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { withPostgresTransaction } from '../../../../src/server/sql/transactions/postgresTransactions.js';
import { type Script, scriptedPostgres } from './scriptedPostgres.js';

const limits = { lockMs: 1, statementMs: 2, idleMs: 3, workMs: 10_000 };
const BEGIN = 'begin isolation level read committed, not deferrable';
const SET_UP =
  "select set_config('lock_timeout', '1', true), set_config('statement_timeout', '2', true), set_config('idle_in_transaction_session_timeout', '3', true), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)";

const coded = (code: string, message = 'refused') => Object.assign(new Error(message), { code });

/** Creates a script in which the first statements that start with `begin` fail, one for each of `errors`. */
const failing =
  (begin: string, ...errors: Error[]): Script =>
  (statement) =>
    statement.startsWith(begin) ? errors.shift() : undefined;

interface Options {
  readonly advisoryLock?: number;
  /** The error that the work throws. */
  readonly fails?: Error;
}

async function run(script?: Script, { fails, advisoryLock }: Options = {}) {
  const { db, log } = scriptedPostgres(script);
  const work = vi.fn(async (connection: typeof db) => {
    await sql`work`.execute(connection);
    if (fails) throw fails;
    return 'done';
  });
  const result = await withPostgresTransaction(
    { db, limits, runtime: processRuntime },
    work,
    advisoryLock,
  ).catch((error: Error) => error);
  // The promise may settle before the connection returns to the pool, so wait for that.
  await vi.waitFor(() => expect(log.at(-1)).toBe('released'), 10_000);
  return { result, log, work };
}

afterEach(() => void vi.restoreAllMocks());

describe('withPostgresTransaction', () => {
  it('sets the limits of the transaction in one statement before the work', async () => {
    const { result, log } = await run();
    expect(result).toBe('done');
    expect(log).toEqual([BEGIN, SET_UP, 'work', 'commit', 'released']);
  });

  it('acquires the advisory lock with the limits, even the lock 0', async () => {
    const { log } = await run(undefined, { advisoryLock: 7 });
    expect(log[1]).toBe(`${SET_UP}, pg_advisory_xact_lock(7, hashtext(current_schema()::text))`);
    expect((await run(undefined, { advisoryLock: 0 })).log[1]).toMatch(
      /xact_lock\(0, hashtext\(current_schema\(\)::text\)\)$/,
    );
  });

  it.each(['25001', '25P02'])('ends a transaction that was left open: %s', async (code) => {
    const { result, log } = await run(failing('begin', coded(code)));
    expect(result).toBe('done');
    expect(log.slice(0, 4)).toEqual([BEGIN, 'rollback', BEGIN, SET_UP]);
  });

  it('throws any other error of begin', async () => {
    const { result, log } = await run(failing('begin', coded('57P01')));
    expect(result).toMatchObject({ code: '57P01' });
    expect(log).toEqual([BEGIN, 'rollback', 'released']);
  });

  it('rolls back and throws when the work fails', async () => {
    const { result, log } = await run(failing('work', coded('23505', 'taken')));
    expect(result).toMatchObject({ message: 'taken' });
    expect(log).toEqual([BEGIN, SET_UP, 'work', 'rollback', 'released']);
  });

  it('retries a transaction after a lock timeout, up to five attempts', async () => {
    const locked = () => coded('55P03', 'canceling statement due to lock timeout');
    const recovered = await run(failing('work', locked(), locked(), locked(), locked()));
    expect(recovered.result).toBe('done');
    expect(recovered.work).toHaveBeenCalledTimes(5);
    const refused = await run((statement) => (statement === 'work' ? locked() : undefined));
    expect(refused.result).toMatchObject({ code: '55P03' });
    expect(refused.work).toHaveBeenCalledTimes(5);
  });

  it.each([
    ['has another code', coded('40001')],
    ['has no code', new Error('55P03')],
    ['is not an Error', { code: '55P03' } as never],
  ])('does not retry a transaction whose error %s', async (_, error) => {
    const { result, work } = await run(failing('work', error));
    expect(result).toBe(error);
    expect(work).toHaveBeenCalledOnce();
  });

  it.each(['Query read timeout', 'timeout exceeded', 'The query timed out', 'Time-out'])(
    'retries a rollback that failed with "%s" before it releases the connection',
    async (message) => {
      const late = () => new Error(message);
      const { log } = await run(failing('rollback', late(), late()), { fails: late() });
      expect(log.slice(2)).toEqual(['work', 'rollback', 'rollback', 'rollback', 'released']);
    },
  );

  it.each([
    ['the connection is broken', new Error('Connection terminated')],
    ['the server reports a timeout', coded('57014', 'canceling statement due to timeout')],
    ['the error is not an Error', { message: 'timeout' } as never],
  ])('does not retry a rollback when %s', async (_, error) => {
    const { log } = await run(failing('rollback', error), { fails: new Error('no') });
    expect(log.slice(2)).toEqual(['work', 'rollback', 'released']);
  });

  it('retries a rollback for a minute', async () => {
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const script: Script = (statement) => {
      if (statement !== 'rollback') return undefined;
      clock += 20_000;
      return new Error('Query read timeout');
    };
    const { log } = await run(script, { fails: new Error('no') });
    expect(log.slice(2)).toEqual(['work', 'rollback', 'rollback', 'rollback', 'released']);
  });
});
