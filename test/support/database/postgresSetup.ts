import type { TestProject } from 'vitest/node';
import { startPostgres } from './startPostgres.js';

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
