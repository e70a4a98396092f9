import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { normalizePath, type Plugin, runnerImport } from 'vite';

function asConstant(file: string, name: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), value))
    throw new Error(
      `${file}: the export ${name} is not plain JSON, so it cannot ship as its value.`,
    );
  return name === 'default' ? `export default ${text};` : `export const ${name} = ${text};`;
}

/**
 * Evaluates the given modules at build time and replaces them with the values of their exports. This keeps the code and
 * data that the values are computed from, such as a table with descriptions, out of the bundle.
 */
export function evaluatedConstants(files: readonly string[]): Plugin {
  const named = new Map(files.map((file) => [normalizePath(resolve(file)), file]));
  return {
    name: 'evaluated-constants',
    enforce: 'pre',
    async load(id) {
      const file = named.get(id);
      if (!file) return undefined;
      // Do not load vite.config.ts, because it contains this plugin.
      const { module } = await runnerImport<Record<string, unknown>>(id, { configFile: false });
      const constants = Object.entries(module).map((entry) => asConstant(file, ...entry));
      return { code: `${constants.join('\n')}\n`, map: null, moduleType: 'js' };
    },
  };
}
