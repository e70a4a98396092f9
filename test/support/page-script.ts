import { build, type InlineConfig, type Rolldown } from 'vite';
import { page, pageOf } from './bundle-page.js';

/**
 * The text of a page's entry module as one script for a browser, React and the built package with it.
 *
 * @param config - What else the build is told.
 */
export async function pageScript(text: string, config: InlineConfig = {}): Promise<string> {
  const output = await build({
    ...pageOf(text),
    ...config,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: page, formats: ['iife'], name: 'page', fileName: 'page' },
    },
  });
  const [{ output: files }] = output as [Rolldown.RolldownOutput];
  return files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
}
