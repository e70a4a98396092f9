import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The sandbox's hosted widget. React is part of it: the page stands on its own. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/widget/',
  plugins: [react()],
  build: {
    // Apart from dist/sandbox, whose modules this build must not remove.
    outDir: fileURLToPath(new URL('../../../dist/widget', import.meta.url)),
    // Vite empties a folder outside of root only when it is asked to.
    emptyOutDir: true,
    // The page's policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
  },
});
