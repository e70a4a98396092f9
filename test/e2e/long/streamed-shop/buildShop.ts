import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { lowestVersions } from '../../../peers/aliases.js';
import { createPageConfig, page } from '../../../support/packaging/bundlePage.js';
import { root } from '../../../support/root.js';
import { buildPageScript } from '../../../support/shop/buildPageScript.js';

/** The shop, built with one version of React. `browser` is the code of its script. */
export interface BuiltShop {
  readonly browser: string;
  readonly server: typeof import('./streamShop.js');
}

const folder = './test/e2e/long/streamed-shop';
const output = join(root, 'test/.output');

/** Builds the shop in development mode, because React only warns about hydration errors in this mode. */
export async function buildShop(react: 18 | 19): Promise<BuiltShop> {
  const config: InlineConfig = {
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: react === 18 ? lowestVersions('react', 'react-dom') : [] },
  };
  const browser = await buildPageScript(
    `import { hydrateShop } from '${folder}/hydrateShop.tsx'; hydrateShop();`,
    config,
  );
  const { output: files } = (await build({
    ...createPageConfig(`export * from '${folder}/streamShop.tsx';`),
    ...config,
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: page,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const file = join(output, `shop-react-${react}.js`);
  await mkdir(output, { recursive: true });
  await writeFile(file, files[0].code);
  return { browser, server: await import(/* @vite-ignore */ pathToFileURL(file).href) };
}
