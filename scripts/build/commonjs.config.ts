import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { entries, external } from '../../vite.config.js';

const [from, to] = ['dist', 'dist/cjs'];

/** The exported modules by their path in `dist`, without the file extension. */
const names = entries.map((file) => file.slice('src/'.length, -'.ts'.length));

/** Returns whether an entry runs only in Node.js. All other entries run in the page. */
const isOfNode = (name: string) => /^(server|sandbox|testing)\//.test(name);

/**
 * Returns a file that loads an ES module with Node.js's own `require`, so that a backend has one copy of each class.
 * Jest replaces `require`, `process` and `node:module` with its own, which cannot load an ES module before Node.js
 * 24.9. So the file takes `process` from Node.js's own realm.
 */
function createLoader(name: string): string {
  const path = relative(dirname(join(to, name)), join(from, name)).replaceAll('\\', '/');
  return `const { getBuiltinModule } = require('node:vm').runInThisContext('process');
module.exports = getBuiltinModule('node:module').createRequire(__filename)('${path}.js');
`;
}

/**
 * Copies the declarations that the entries need. A package.json with the type `commonjs` sits above the copies, so
 * TypeScript reads them as declarations of CommonJS modules.
 */
function copyDeclarations() {
  const files = new Set(names.map((name) => `${from}/${name}.d.ts`));
  for (const file of files) {
    cpSync(file, join(to, relative(from, file)));
    const imports = readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)\.js'/g,
    );
    for (const [, name] of imports) files.add(join(dirname(file), `${name}.d.ts`));
  }
}

const otherFiles: Plugin = {
  name: 'other-files',
  closeBundle() {
    copyDeclarations();
    writeFileSync(join(to, 'package.json'), '{ "type": "commonjs" }\n');
    for (const name of names.filter(isOfNode)) {
      mkdirSync(dirname(join(to, name)), { recursive: true });
      writeFileSync(join(to, `${name}.js`), createLoader(name));
    }
    // Jest imports the stylesheet as JavaScript, so give it an empty module.
    writeFileSync(join(to, 'styles.js'), '');
    writeFileSync(join(to, 'styles.d.ts'), 'export {};\n');
  },
};

/**
 * Writes the CommonJS files, for Jest and for CommonJS projects with an old TypeScript. The page's entries are built a
 * second time, because they must use the same copy of React as the test. The other entries load the ES modules.
 */
export default defineConfig({
  plugins: [otherFiles],
  build: {
    outDir: to,
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    lib: {
      entry: Object.fromEntries(
        names.filter((name) => !isOfNode(name)).map((name) => [name, `${from}/${name}.js`]),
      ),
      formats: ['cjs'],
    },
    rolldownOptions: {
      external,
      // Hide the warning about index.js's 'use client' directive. The build keeps the directive, which a test checks.
      onLog: (level, log, print) =>
        log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : print(level, log),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // Jest needs a Node.js flag to run import(), so use require().
        dynamicImportInCjs: false,
      },
    },
  },
});
