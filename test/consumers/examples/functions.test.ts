import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOwnPostgres, type TestDatabase } from '../../support/database/sqlDatabases.js';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { type RunningExample, startExample } from '../../support/packaging/startExample.js';

describe('examples/functions, with a process for every request', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  let database: TestDatabase;
  let server: RunningExample | undefined;

  beforeAll(async () => {
    example = await installExample('functions');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server?.close();
  });
  afterAll(() => example?.remove());

  async function start(script: string): Promise<RunningExample> {
    database = await startOwnPostgres();
    vi.stubEnv('DATABASE_URL', database.target);
    server = await startExample(example.folder, { script });
    return server;
  }
  const readPaid = async () =>
    (await sql<{ user_id: string }>`select user_id from paid`.execute(database.connect())).rows;
  const syncs = () =>
    [...(server?.logs().matchAll(/has synced: (\{.*\})/g) ?? [])].map(([, run = '']) =>
      JSON.parse(run),
    );

  it('completes a purchase whose webhook is lost, by the scheduled job alone', async () => {
    const { url } = await start('dev:lost');
    const { printed } = await buyInPage(url);
    // Chromium prints the 404 of the event stream, after which the page polls.
    expect(printed.filter((line) => !line.includes('status of 404'))).toEqual([]);
    expect(await readPaid()).toEqual([{ user_id: 'demo' }]);
    expect(syncs().filter(({ delivered }) => delivered > 0)).toHaveLength(1);
    expect(server?.logs()).not.toMatch(/error|warn|failed/i);
  });

  it('completes a purchase with its webhook, after the response to it', async () => {
    const { url } = await start('dev');
    await buyInPage(url);
    expect(await readPaid()).toEqual([{ user_id: 'demo' }]);
    expect(server?.logs()).not.toMatch(/error|warn|failed/i);
  });
});
