import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressFiles } from './compressFiles.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const outDir = here('dist/storefront');

export default defineConfig({
  root: here('storefront'),
  plugins: [react(), compressFiles(outDir)],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      input: ['index', 'orders', 'return', 'operator'].map((page) =>
        here(`storefront/${page}.html`),
      ),
    },
    // Inline no files: data: URLs would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // Without the polyfill, browsers that lack modulepreload load the same modules, only later.
    modulePreload: { polyfill: false },
  },
});
