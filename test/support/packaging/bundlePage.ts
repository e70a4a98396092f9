import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, normalizePath, type Rolldown } from 'vite';
import { root } from '../root.js';

/** The path of the page's module. It exists only in memory, and its imports resolve from the project's folder. */
export const page = normalizePath(join(root, 'page.js'));

export interface PageBundle {
  chunks: readonly Rolldown.OutputChunk[];
  /** The paths of all modules that have code in the bundle. */
  modules: readonly string[];
  /** The packages that the bundle imports, by default only React. */
  externals: readonly string[];
  /** The size of the code that loads with the page, in bytes after gzip -9. `later` is the size of dynamic imports. */
  initial: number;
  later: number;
}

/** Creates the Vite configuration that builds a page for production. `entry` is the source of its entry module. */
export const createPageConfig = (entry: string) => ({
  root,
  configFile: false as const,
  logLevel: 'silent' as const,
  mode: 'production',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Otherwise Vite would use the development JSX runtime, because NODE_ENV of this process is `test`.
  oxc: { jsx: { runtime: 'automatic' as const, development: false } },
  plugins: [
    {
      name: 'page',
      resolveId: (id: string) => (id === page ? page : undefined),
      load: (id: string) => (id === page ? entry : undefined),
    },
  ],
});

/**
 * Bundles a page for production, as a storefront does. React and the packages that `outside` matches are not bundled.
 * `entry` is the source of the page's entry module.
 */
export async function bundlePage(
  entry: string,
  outside: readonly RegExp[] = [],
): Promise<PageBundle> {
  const output = await build({
    ...createPageConfig(entry),
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: page, formats: ['es'], fileName: 'page' },
      rolldownOptions: {
        external: [/^react($|\/)/, /^react-dom($|\/)/, ...outside],
        // Keep code that the page shares with a dynamic import in the page's chunk, as builds of applications do.
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true },
      },
    },
  });
  const [{ output: files }] = output as [Rolldown.RolldownOutput];
  return measureChunks(files.filter((file) => file.type === 'chunk'));
}

function measureChunks(chunks: Rolldown.OutputChunk[]): PageBundle {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const initial = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const chunk of initial)
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported) initial.add(imported);
    }
  const later = chunks.filter((chunk) => !initial.has(chunk));
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  return {
    chunks,
    modules: chunks.flatMap((chunk) => chunk.moduleIds),
    externals: [...new Set(imports.filter((name) => !byName.has(name)))],
    initial: measureGzip([...initial]),
    later: measureGzip(later),
  };
}

const measureGzip = (chunks: Rolldown.OutputChunk[]) =>
  chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);

/** A page with an empty component. Subtract its size to get what the package adds to a page. */
export const emptyPage = `
import { jsx } from 'react/jsx-runtime';
globalThis.page = { Empty: () => jsx('p', {}) };
`;

/** A page with an on-ramp button and an HTTP signer, which most storefronts need. */
export const buttonPage = `
import { OnRampButton, RampProvider, createHttpSigner } from '@partner-ramp/react';
globalThis.page = { OnRampButton, RampProvider, createHttpSigner };
`;

/** A page that shows a price, without a button. */
export const quotePage = `
import { QuotePreview, RampProvider } from '@partner-ramp/react';
globalThis.page = { QuotePreview, RampProvider };
`;

export const statusPage = `
import { CheckoutStatus, RampProvider } from '@partner-ramp/react';
globalThis.page = { CheckoutStatus, RampProvider };
`;

/** A page with `<ramp-button>`, which signs with `createHttpSigner` if it has an `api`. */
export const elementPage = `
import '@partner-ramp/react/element';
`;

export const nftPage = `
import { NftCheckout, RampProvider, createHttpSigner } from '@partner-ramp/react';
globalThis.page = { NftCheckout, RampProvider, createHttpSigner };
`;
