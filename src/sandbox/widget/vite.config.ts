import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The sandbox's hosted widget. React is part of it: the page stands on its own. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/widget/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../../dist/sandbox/widget', import.meta.url)),
    // The folder lies outside of root, so Vite asks; it is this build's own.
    emptyOutDir: true,
    // The page's policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
  },
});
