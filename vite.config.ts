import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { evaluatedConstants } from './scripts/evaluated-constants.js';

/** The only stylesheet is copied, never imported from JavaScript; its empty types satisfy TS 6 and 7. */
const stylesheet: Plugin = {
  name: 'stylesheet',
  closeBundle() {
    cpSync('src/styles.css', 'dist/styles.css');
    writeFileSync('dist/styles.css.d.ts', 'export {};\n');
  },
};

/** One entry for each language. */
const messages = Object.fromEntries(
  readdirSync('src/messages')
    .filter((file) => /^[a-z]/.test(file))
    .map((file) => [`messages/${basename(file, '.ts')}`, `src/messages/${file}`]),
);

export default defineConfig({
  plugins: [
    evaluatedConstants(['src/react/parameter-names.ts', 'src/react/parameter-rules.ts']),
    stylesheet,
  ],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: {
      entry: {
        index: 'src/index.ts',
        protocol: 'src/protocol/index.ts',
        server: 'src/server/index.ts',
        'server/express': 'src/server/express.ts',
        'server-only': 'src/server/server-only.ts',
        sandbox: 'src/sandbox/index.ts',
        ...messages,
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [
        /^react($|\/)/,
        /^react-dom($|\/)/,
        /^@tanstack\/react-query/,
        /^zod($|\/)/,
        /^hono($|\/)/,
        /^@hono\//,
        /^@tanstack\/react-query/,
        'cockatiel',
        'lossless-json',
        'lru-cache',
        /^node:/,
      ],
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
});
