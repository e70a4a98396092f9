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
 * Replaces the named modules by the values of their exports, so that the sources of a constant, such as a
 * table with descriptions, stay out of the bundle. Paths are relative to Vite's root.
 */
export function evaluatedConstants(files: string[]): Plugin {
  let root = '';
  let named: ReadonlyMap<string, string> = new Map();
  return {
    name: 'evaluated-constants',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
      named = new Map(files.map((file) => [normalizePath(resolve(root, file)), file]));
    },
    async load(id) {
      const file = named.get(id);
      if (!file) return undefined;
      // Without the configuration file, because it contains this plugin.
      const options = { root, configFile: false, logLevel: 'error' } as const;
      const { module, dependencies } = await runnerImport<Record<string, unknown>>(id, options);
      for (const dependency of dependencies) this.addWatchFile(resolve(root, dependency));
      const constants = Object.entries(module).map((entry) => asConstant(file, ...entry));
      return { code: `${constants.join('\n')}\n`, map: null, moduleType: 'js' };
    },
  };
}
