import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Postgres {
  /** Of a database; what is in it already is let be. */
  readonly url: string;
  close(): Promise<void>;
}

/** The PostgreSQL that DATABASE_URL names, or an empty one that ends with these tests. */
export async function startPostgres(): Promise<Postgres> {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return { url: DATABASE_URL, close: async () => {} };
  const server = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
  const url = `${said[0]}`.trim();
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
