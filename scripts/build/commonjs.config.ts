import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { entries, external } from '../../vite.config.js';

const [from, to] = ['dist', 'dist/cjs'];

/** Each built ES module that package.json exports, by its path without the ending. */
const inputs = Object.fromEntries(
  entries.map((file) => {
    const name = file.slice('src/'.length, -'.ts'.length);
    return [name, `${from}/${name}.js`];
  }),
);

/** Replaces `import.meta.url`, which CommonJS lacks, by the path of the ES module, because assets are beside that. */
const modulePath: Plugin = {
  name: 'module-path',
  transform(code, id) {
    const path = JSON.stringify(posix.join('../..', relative(from, id).replaceAll('\\', '/')));
    const expression = `require("node:path").join(__dirname, ${path})`;
    return code.replaceAll('fileURLToPath(import.meta.url)', expression);
  },
};

/**
 * Copies the declarations that the entries need. A copy is another module system's: TypeScript reads each file as the
 * `type` of the nearest package.json requires.
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
    // Jest imports the stylesheet of a page as JavaScript.
    writeFileSync(join(to, 'styles.js'), '');
    writeFileSync(join(to, 'styles.d.ts'), 'export {};\n');
  },
};

/**
 * Writes the build for `require` where Node's `require` of an ES module is not used: Jest, and old tools. It is
 * made from the ES modules in `dist`. Entries share their chunks, so that there is one `RampError`.
 */
export default defineConfig({
  plugins: [modulePath, declarations],
  build: {
    outDir: to,
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    lib: { entry: inputs, formats: ['cjs'] },
    rolldownOptions: {
      external,
      // The directive of index.js is preserved; a test reads it.
      onLog: (level, log, print) =>
        log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : print(level, log),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // Jest runs no import() without a flag of Node.
        dynamicImportInCjs: false,
      },
    },
  },
});
