import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { evaluatedConstants } from './scripts/build/evaluatedConstants.js';
import { lazyRampError } from './scripts/build/lazyRampError.js';
import { serverOnly } from './scripts/build/serverOnly.js';

/**
 * Writes the only stylesheet, which is not imported from JavaScript, as one file: its imports are replaced with
 * their content. The empty declaration file satisfies TypeScript 6 and 7.
 */
const stylesheet: Plugin = {
  name: 'stylesheet',
  // Not closeBundle, which also runs after a failed build and would hide its error.
  writeBundle() {
    const whole = readFileSync('src/styles.css', 'utf8').replace(
      /^@import "(.+)";$/gm,
      (_, part: string) => readFileSync(join('src', part), 'utf8'),
    );
    writeFileSync('dist/styles.css', whole);
    writeFileSync('dist/styles.css.d.ts', 'export {};\n');
  },
};

/** The modules that package.json exports. All other modules are written beside them. */
export const entries = [
  'src/index.ts',
  'src/protocol/index.ts',
  'src/server/index.ts',
  'src/server/express.ts',
  'src/server/node.ts',
  'src/server/sql/index.ts',
  'src/sandbox/index.ts',
  ...readdirSync('src/messages')
    .filter((file) => /^[a-z]/.test(file))
    .map((file) => `src/messages/${file}`),
];

/** The dependencies, which are not bundled. */
export const external = [
  /^react($|\/)/,
  /^react-dom($|\/)/,
  /^@tanstack\/react-query/,
  /^zod($|\/)/,
  /^hono($|\/)/,
  /^@hono\//,
  'kysely',
  'lossless-json',
  'lru-cache',
  /^node:/,
];

export default defineConfig({
  plugins: [
    evaluatedConstants([
      'src/react/params/parameterNames.ts',
      'src/react/params/parameterRules.ts',
      'src/react/dev/errorDocs.ts',
    ]),
    lazyRampError,
    stylesheet,
    serverOnly,
  ],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: { entry: entries, formats: ['es'] },
    rolldownOptions: {
      external,
      // One file for each module, so that every bundler ships only the modules that a page uses.
      // A bundler cannot split a chunk again.
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        // A stylesheet and a module may share their name: refusalPage.css and refusalPage.ts.
        entryFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.includes('.css') ? '[name].css.js' : '[name].js',
      },
    },
  },
});
