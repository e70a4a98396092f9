import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { evaluatedConstants } from './scripts/evaluated-constants.js';

/**
 * The only stylesheet is never imported from JavaScript; its parts are put in the place of their
 * imports, so that it is one file. Its empty types satisfy TS 6 and 7.
 */
const stylesheet: Plugin = {
  name: 'stylesheet',
  closeBundle() {
    const whole = readFileSync('src/styles.css', 'utf8').replace(
      /^@import "(.+)";$/gm,
      (_, part: string) => readFileSync(join('src', part), 'utf8'),
    );
    writeFileSync('dist/styles.css', whole);
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
        'server/node': 'src/server/node.ts',
        'server/sql': 'src/server/sql/index.ts',
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
        'kysely',
        'lossless-json',
        'lru-cache',
        /^node:/,
      ],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // Apart from the entry, or every page with a price card would load at once what only the NFT
        // card needs at once.
        codeSplitting: {
          groups: [
            { name: 'decimals', test: /protocol.compareDecimals/, priority: 2 },
            { name: 'figures', test: /quote.(formatAmount|fillText)/, priority: 1 },
          ],
        },
      },
    },
  },
});
