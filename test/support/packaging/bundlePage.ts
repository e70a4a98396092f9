import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, normalizePath, type Rolldown } from 'vite';
import { root } from '../root.js';

/** The path of the page, which exists only in memory. The package resolves from its folder. */
export const page = normalizePath(join(root, 'page.js'));

export interface PageBundle {
  chunks: readonly Rolldown.OutputChunk[];
  /** The paths of all modules that contribute code. */
  modules: readonly string[];
  /** The external packages, by default only React. */
  externals: readonly string[];
  /** The sizes of the initial load and of the dynamic imports after gzip -9, in bytes. */
  initial: number;
  later: number;
}

/** Creates the configuration of a production build of a page from the source of its entry module. */
export const createPageConfig = (entry: string) => ({
  root,
  configFile: false as const,
  logLevel: 'silent' as const,
  mode: 'production',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Vite would use the mode of its environment, which is a test here.
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
 * Bundles the source of a page's entry module for production, as a storefront does. React and the given packages stay
 * external.
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
        // As in an application, code that the page shares with a dynamic import stays in the page's chunk.
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

/** A page with an empty component. Its size is the overhead of any page. */
export const emptyPage = `
import { jsx } from 'react/jsx-runtime';
globalThis.page = { Empty: () => jsx('p', {}) };
`;

/** A page with the parts of the package that every storefront needs. */
export const buttonPage = `
import { OnRampButton, RampProvider, createHttpSigner } from '@partner-ramp/react';
globalThis.page = { OnRampButton, RampProvider, createHttpSigner };
`;

/** A page that shows a price, without a button. */
export const quotePage = `
import { QuotePreview, RampProvider } from '@partner-ramp/react';
globalThis.page = { QuotePreview, RampProvider };
`;

/** An order page. */
export const statusPage = `
import { CheckoutStatus, RampProvider } from '@partner-ramp/react';
globalThis.page = { CheckoutStatus, RampProvider };
`;

/** A page that sells an NFT. */
export const nftPage = `
import { NftCheckout, RampProvider, createHttpSigner } from '@partner-ramp/react';
globalThis.page = { NftCheckout, RampProvider, createHttpSigner };
`;
