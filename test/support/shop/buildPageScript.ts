import { build, type InlineConfig, type Rolldown } from 'vite';
import { createPageConfig, page } from '../packaging/bundlePage.js';

/**
 * Bundles a page with React and the built package into one script for a browser.
 *
 * @param text - The source of the page's entry module.
 * @param config - Further Vite options.
 */
export async function buildPageScript(text: string, config: InlineConfig = {}): Promise<string> {
  return [...(await built(text, 'iife', config)).values()].join('\n');
}

/**
 * Bundles a page into an entry module, and a module for each dynamic import. Returns a map from the path of a module to
 * its code.
 *
 * @param external - Matches the packages that are not bundled, so that the modules import them.
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
