import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the server with the code of the operator page in it, which is TypeScript. Packages are imported at run time. */
export default defineConfig({
  root: here('.'),
  // It is linked in this repository, so Vite would take it for a part of the shop.
  ssr: { external: ['@partner-ramp/react'] },
  build: {
    ssr: true,
    outDir: here('dist/server'),
    emptyOutDir: true,
    sourcemap: true,
    target: 'node20',
    rolldownOptions: { input: [here('src/main.ts'), here('src/eraseShopper.ts')] },
  },
});
