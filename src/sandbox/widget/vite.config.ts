import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the sandbox's hosted widget as a standalone page, which includes React. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/widget/',
  plugins: [react()],
  build: {
    // The output is not in dist/sandbox, because this build empties its folder and would remove the modules there.
    outDir: fileURLToPath(new URL('../../../dist/widget', import.meta.url)),
    // Vite empties a folder outside of `root` only if this is set.
    emptyOutDir: true,
    // The page's Content-Security-Policy does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
  },
});
