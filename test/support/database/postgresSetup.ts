import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** The global setup of Vitest projects that need PostgreSQL. Tests get its URL with `inject('databaseUrl')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await startPostgres();
  project.provide('databaseUrl', url);
  return close;
}

interface Postgres {
  /** The URL of a database. Tests create their own schemas or databases, and do not change its other content. */
  readonly url: string;
  close(): Promise<void>;
}

/** Returns the PostgreSQL of DATABASE_URL if it is set. Otherwise starts an empty server, which `close` stops. */
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
