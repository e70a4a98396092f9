import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** Provides a PostgreSQL for the tests of a project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await startPostgres();
  project.provide('databaseUrl', url);
  return close;
}

interface Postgres {
  /** The URL of a database, whose existing content is not changed. */
  readonly url: string;
  close(): Promise<void>;
}

/** Returns the PostgreSQL of DATABASE_URL, or starts an empty server that stops with these tests. */
export async function startPostgres(): Promise<Postgres> {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return { url: DATABASE_URL, close: async () => {} };
  const server = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
  const url = `${output[0]}`.trim();
  if (!url.startsWith('postgres://')) throw new Error('PostgreSQL did not start; see above.');
  return {
    url,
    async close() {
      const gone = once(server, 'exit');
      server.stdin.end();
      await gone;
    },
  };
}
