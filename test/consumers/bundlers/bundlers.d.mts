interface Bundle {
  readonly files: readonly { readonly name: string; readonly code: string }[];
  /** The names of the files that a page loads at once. */
  readonly initial: readonly string[];
}

interface Input {
  /** The path of the entry module. */
  readonly entry: string;
  /** Where the bundler writes its output. */
  readonly folder: string;
}

interface Bundler {
  /** Builds a page for production; rejects with what the bundler printed. */
  page(input: Input & { readonly external: string[] }): Promise<Bundle>;
  /**
   * Builds `server.mjs` for Node, with all its dependencies but Node's own. esbuild alone takes
   * `conditions`.
   */
  server(input: Input & { readonly conditions?: string[] }): Promise<void>;
}

export const bundlers: Readonly<
  Record<'Vite' | 'Rollup' | 'esbuild' | 'webpack' | 'Rspack', Bundler>
>;
