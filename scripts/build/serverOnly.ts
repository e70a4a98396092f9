import type { Plugin } from 'vite';

const reason =
  '@partner-ramp/react/server and /sandbox hold secret keys and run in a backend only, never in a page. Move this import to backend code';
const inJest = 'A Jest test of a backend begins with /** @jest-environment node */.';

/**
 * Writes the two modules that replace the server's entries under the condition `browser`.
 *
 * `server-only.js` imports a file that does not exist. Vite, Rollup, esbuild, webpack and Rspack all stop at such an
 * import and print its specifier, which is worded as the reason. Other ways do not work: for a module without exports,
 * esbuild only prints a warning, and with null in package.json, Rspack bundles the server itself.
 *
 * `server-only.cjs` is for Vite's dev server. The dev server bundles every dependency that it finds in the sources,
 * including dependencies that a framework removes from the page later, so `server-only.js` would stop it.
 * `server-only.cjs` throws when a page runs it, or when a Jest test with jsdom does. It is CommonJS, because in an ES
 * module the error about a missing export would come first and hide this error.
 */
export const serverOnly: Plugin = {
  name: 'server-only',
  generateBundle() {
    const write = (fileName: string, source: string) =>
      this.emitFile({ type: 'asset', fileName, source });
    write('server/server-only.js', `import ${JSON.stringify(`./${reason}`)};\n`);
    write(
      'server/server-only.cjs',
      `throw new Error(${JSON.stringify(`${reason}. ${inJest}`)});\n`,
    );
  },
};
