import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { root } from './bundle-page.js';

/** What a built entry reaches: own files and packages, through static imports alone or through all. */
export interface Reach {
  files: string[];
  packages: string[];
}

interface Import {
  name: string;
  dynamic: boolean;
}

/** Follows the imports of a file in dist, given as its path inside it. */
export function reachOf(entry: string, { dynamic = true } = {}): Reach {
  const files = new Set([join(root, 'dist', entry)]);
  const packages = new Set<string>();
  for (const file of files)
    for (const found of importsOf(file)) {
      if (found.dynamic && !dynamic) continue;
      if (found.name.startsWith('.')) files.add(join(dirname(file), found.name));
      else packages.add(found.name);
    }
  const dist = join(root, 'dist');
  return {
    files: [...files].map((file) => relative(dist, file).replaceAll('\\', '/')).sort(),
    packages: [...packages].sort(),
  };
}

function importsOf(file: string): Import[] {
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
      name: literal(file, code.slice(start, end)),
      dynamic: true,
    })),
  ];
}

/** An import whose name is computed cannot be followed, so it may not be in dist. */
function literal(file: string, text: string): string {
  const name = /^(['"`])([^'"`$]+)\1$/.exec(text)?.[2];
  if (!name) throw new Error(`${file}: import(${text}) is not of a fixed name.`);
  return name;
}
