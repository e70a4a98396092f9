import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { entries, external } from '../../vite.config.js';

const [from, to] = ['dist', 'dist/cjs'];

/** Packages without CommonJS files. They are part of this build, because Jest cannot `require` an ES module. */
const bundled = ['@noble/hashes', '@scure/base'];

/** Writes the licenses of the packages that are part of this build, as the licenses require. */
const licenses: Plugin = {
  name: 'licenses',
  closeBundle() {
    const texts = bundled.map(
      (name) =>
        `${name}\n\n${readFileSync(join('node_modules', name, 'LICENSE'), 'utf8').trim()}\n`,
    );
    writeFileSync(join(to, 'LICENSES.txt'), texts.join('\n\n'));
  },
};

/** The built ES modules that package.json exports, by path without the file extension. */
const inputs = Object.fromEntries(
  entries.map((file) => {
    const name = file.slice('src/'.length, -'.ts'.length);
    return [name, `${from}/${name}.js`];
  }),
);

/**
 * Replaces `fileURLToPath(import.meta.url)`, which CommonJS lacks, with the path of the original ES module, because
 * assets are found relative to that module.
 */
const modulePath: Plugin = {
  name: 'module-path',
  transform(code, id) {
    const path = JSON.stringify(posix.join('../..', relative(from, id).replaceAll('\\', '/')));
    const expression = `require("node:path").join(__dirname, ${path})`;
    return code.replaceAll('fileURLToPath(import.meta.url)', expression);
  },
};

/**
 * Copies the declarations that the entries need. The copies have a package.json with the type `commonjs` above them,
 * so TypeScript reads them as declarations of CommonJS modules.
 */
const declarations: Plugin = {
  name: 'declarations',
  closeBundle() {
    const files = new Set(Object.values(inputs).map((file) => file.replace(/js$/, 'd.ts')));
    for (const file of files) {
      cpSync(file, join(to, relative(from, file)));
      const imports = readFileSync(file, 'utf8').matchAll(
        /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)\.js'/g,
      );
      for (const [, name] of imports) files.add(join(dirname(file), `${name}.d.ts`));
    }
    writeFileSync(join(to, 'package.json'), '{ "type": "commonjs" }\n');
    // Jest imports the stylesheet as JavaScript, so give it an empty module.
    writeFileSync(join(to, 'styles.js'), '');
    writeFileSync(join(to, 'styles.d.ts'), 'export {};\n');
  },
};

/** The test kit, and the file that loads it. */
const kit = { name: 'testing/index', file: 'testing/kit.js' };

/**
 * Writes a file that loads the test kit with the `require` of Node.js. Jest's own would load it into the realm of the
 * test, whose jsdom has no `fetch`, `Request` and `Response`, and would load the server anew for each test file. Jest
 * replaces `require`, `node:module` and `process`, so take `process` from the realm of Node.js.
 */
const testKit: Plugin = {
  name: 'test-kit',
  closeBundle() {
    const code = [
      "const node = require('node:vm').runInThisContext('process').getBuiltinModule('node:module');",
      "module.exports = node.createRequire(__filename)('./kit.js');",
    ];
    writeFileSync(join(to, `${kit.name}.js`), `${code.join('\n')}\n`);
  },
};

/**
 * Writes the CommonJS build, for Jest and old tools that cannot `require` an ES module. It is made from the ES
 * modules in `dist`. The entries share chunks, so that there is only one class `RampError`.
 */
export default defineConfig({
  plugins: [modulePath, declarations, licenses, testKit],
  build: {
    outDir: to,
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    lib: { entry: inputs, formats: ['cjs'] },
    rolldownOptions: {
      external: external.filter(
        (name) => typeof name === 'string' || !bundled.some((it) => name.test(it)),
      ),
      // Hide the warning about the directive 'use client' in index.js. The build preserves it, which a test checks.
      onLog: (level, log, print) =>
        log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : print(level, log),
      output: {
        entryFileNames: ({ name }) => (name === kit.name ? kit.file : '[name].js'),
        chunkFileNames: 'chunks/[name].js',
        // Jest can run import() only with a flag of Node.js, so use require().
        dynamicImportInCjs: false,
      },
    },
  },
});
