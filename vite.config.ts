import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { evaluatedConstants } from './scripts/build/evaluatedConstants.js';
import { lazyRampError } from './scripts/build/lazyRampError.js';
import { serverOnly } from './scripts/build/serverOnly.js';

/**
 * Writes dist/styles.css. No JavaScript imports the stylesheet, so Vite does not build it. Each @import is replaced
 * by the content of the file. TypeScript 6 and 7 need the empty declaration file when a page imports the stylesheet.
 */
const stylesheet: Plugin = {
  name: 'stylesheet',
  // Don't use closeBundle: it also runs after a failed build, and an error in it would hide the build's error.
  writeBundle() {
    const whole = readFileSync('src/styles.css', 'utf8').replace(
      /^@import "(.+)";$/gm,
      (_, part: string) => readFileSync(join('src', part), 'utf8'),
    );
    writeFileSync('dist/styles.css', whole);
    writeFileSync('dist/styles.css.d.ts', 'export {};\n');
  },
};

/** Copies the cases of `partner-ramp conformance`, which are data for other test runners too. */
const conformanceCases: Plugin = {
  name: 'conformance-cases',
  writeBundle() {
    cpSync('src/conformance', 'dist/conformance', { recursive: true });
  },
};

/** The modules that package.json exports. The build also writes every module that they import, as a separate file. */
export const entries = [
  'src/index.ts',
  'src/element/index.ts',
  'src/quotes.ts',
  'src/protocol/index.ts',
  'src/server/index.ts',
  'src/server/express.ts',
  'src/server/node.ts',
  'src/server/sql/index.ts',
  'src/sandbox/index.ts',
  'src/testing/index.ts',
  'src/testing/playwright.ts',
  ...readdirSync('src/messages')
    .filter((file) => /^[a-z]/.test(file))
    .map((file) => `src/messages/${file}`),
];

export const external = [
  /^react($|\/)/,
  /^react-dom($|\/)/,
  /^@tanstack\/react-query/,
  /^zod($|\/)/,
  /^hono($|\/)/,
  /^@hono\//,
  /^@noble\//,
  /^@scure\//,
  'kysely',
  'lossless-json',
  'lru-cache',
  /^node:/,
];

export default defineConfig({
  plugins: [
    evaluatedConstants([
      'src/client/params/parameterNames.ts',
      'src/client/params/parameterRules.ts',
      'src/client/dev/errorDocs.ts',
      'src/messages/EntryMessages.ts',
    ]),
    lazyRampError,
    stylesheet,
    conformanceCases,
    serverOnly,
  ],
  build: {
    target: 'es2022',
    minify: false,
    // For our own tests only: the built files are readable and keep their comments, so the package has no maps.
    sourcemap: 'hidden',
    // The command line is not exported, but package.json names it as `bin`.
    lib: { entry: [...entries, 'src/cli/index.ts'], formats: ['es'] },
    rolldownOptions: {
      external,
      // Write one file for each module, so that a page's bundler ships only the modules that the page uses. A bundler
      // cannot split a chunk that this build has merged.
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        // A stylesheet and a module may have the same name, so the output of a stylesheet is named .css.js.
        entryFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.includes('.css') ? '[name].css.js' : '[name].js',
      },
    },
  },
});
