import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** Gives the tests a PostgreSQL: the one that DATABASE_URL names, or one that ends with them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) {
    project.provide('databaseUrl', DATABASE_URL);
    return async () => {};
  }
  const server = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
  const url = `${said[0]}`.trim();
  if (!url.startsWith('postgres://')) throw new Error('PostgreSQL did not start; see above.');
  project.provide('databaseUrl', url);
  return async () => {
    const gone = once(server, 'exit');
    server.stdin.end();
    await gone;
  };
}
