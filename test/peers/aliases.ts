import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('node_modules/', import.meta.url));

/** Vite aliases that replace these peer dependencies with the lowest supported versions. */
export const lowestVersions = (...names: readonly string[]) =>
  names.map((name) => ({
    find: new RegExp(`^${name}($|/)`),
    replacement: `${folder}${name}$1`,
  }));
