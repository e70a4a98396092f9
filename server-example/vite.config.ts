import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('storefront'),
  plugins: [react()],
  build: {
    outDir: here('dist/storefront'),
    emptyOutDir: true,
    target: 'es2022',
    // Inline no files: data: URLs would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // Without the polyfill, browsers that lack modulepreload load the same modules, only later.
    modulePreload: { polyfill: false },
  },
  test: { root: here('.'), include: ['test/**/*.test.ts'], testTimeout: 60_000 },
});
