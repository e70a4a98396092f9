import { build, type InlineConfig, type Rolldown } from 'vite';
import { createPageConfig, page } from '../packaging/bundlePage.js';

/**
 * Bundles the source of a page's entry module with React and the built package into one script for a browser.
 *
 * @param config - Further options of the build.
 */
export async function buildPageScript(text: string, config: InlineConfig = {}): Promise<string> {
  return [...(await built(text, 'iife', config)).values()].join('\n');
}

/**
 * Bundles it into modules, with one module for each dynamic import. Returns the code of each path.
 *
 * @param external - The packages that stay imports.
 */
export const buildPageModules = (text: string, external: readonly RegExp[] = []) =>
  built(text, 'es', {}, external);

async function built(
  text: string,
  format: 'iife' | 'es',
  config: InlineConfig,
  external: readonly RegExp[] = [],
): Promise<ReadonlyMap<string, string>> {
  const output = await build({
    ...createPageConfig(text),
    ...config,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: page, formats: [format], name: 'page', fileName: () => 'page.js' },
      rolldownOptions: { external: [...external] },
    },
  });
  const [{ output: files }] = output as [Rolldown.RolldownOutput];
  return new Map(
    files.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : [])),
  );
}
