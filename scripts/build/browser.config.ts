import { copyFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/**
 * Builds the custom element for pages without a bundler: `dist/browser/ramp-button.js`, the code that loads on a click,
 * and the stylesheet. The input is the ES modules in `dist`.
 */
export default defineConfig({
  plugins: [
    {
      name: 'stylesheet',
      writeBundle: () => copyFileSync('dist/styles.css', 'dist/browser/styles.css'),
    },
  ],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'dist/browser',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    lib: { entry: 'dist/element/index.js', formats: ['es'], fileName: 'ramp-button' },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: { minify: true, chunkFileNames: 'ramp-[name]-[hash].js' },
    },
  },
});
