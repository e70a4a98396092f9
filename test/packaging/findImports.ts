import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../support/root.js';

/** What a built entry loads, directly and through the files that it imports. */
export interface ReachableImports {
  packages: string[];
  /** The modules of src from which the loaded files were built, by their source maps. */
  sources: string[];
}

interface Import {
  name: string;
  dynamic: boolean;
}

/** Follows the imports of a file. `entry` is its path inside dist. With `dynamic: false`, only static imports. */
export function findImports(entry: string, { dynamic = true } = {}): ReachableImports {
  const files = new Set([join(root, 'dist', entry)]);
  const packages = new Set<string>();
  for (const file of files)
    for (const found of parseImports(file)) {
      if (found.dynamic && !dynamic) continue;
      if (found.name.startsWith('.')) files.add(join(dirname(file), found.name));
      else packages.add(found.name);
    }
  return { packages: [...packages].sort(), sources: [...files].flatMap(findSources).sort() };
}

/** Returns the modules of src from which a file was built, by its source map. */
export function findSources(file: string): string[] {
  const map = `${file}.map`;
  if (!existsSync(map)) {
    // A file may have no source map if it has only imports and exports.
    if (/^(?!import |export \{|\/\/|"use client"|\s*$)/m.test(readFileSync(file, 'utf8')))
      throw new Error(`${file} has code, but no source map.`);
    return [];
  }
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
  return sources.map((source) =>
    relative(root, resolve(dirname(file), source)).replaceAll('\\', '/'),
  );
}

function parseImports(file: string): Import[] {
  const code = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const names = [
    ...module.staticImports.map((found) => found.moduleRequest.value),
    ...exported.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  ];
  return [
    ...names.map((name) => ({ name, dynamic: false })),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      name: parseLiteralName(file, code.slice(start, end)),
      dynamic: true,
    })),
  ];
}

/** Returns the module name in a dynamic import. Throws if the name is computed, because it cannot be followed. */
function parseLiteralName(file: string, text: string): string {
  const name = /^(['"`])([^'"`$]+)\1$/.exec(text)?.[2];
  if (!name) throw new Error(`${file}: the name in import(${text}) must be a string literal.`);
  return name;
}
