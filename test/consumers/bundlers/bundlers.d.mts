interface Bundle {
  readonly files: readonly { readonly name: string; readonly code: string }[];
  /** The names of the files of the initial load. */
  readonly initial: readonly string[];
}

interface Input {
  /** The path of the entry module. */
  readonly entry: string;
  /** The output folder of the bundler. */
  readonly folder: string;
}

interface Bundler {
  /** Builds a page for production; rejects with the output of the bundler. */
  page(input: Input & { readonly external: string[] }): Promise<Bundle>;
  /**
   * Builds `server.mjs` for Node, with all dependencies except Node's built-in modules. Only esbuild supports
   * `conditions`.
   */
  server(input: Input & { readonly conditions?: string[] }): Promise<void>;
}

export const bundlers: Readonly<
  Record<'Vite' | 'Rollup' | 'esbuild' | 'webpack' | 'Rspack', Bundler>
>;
