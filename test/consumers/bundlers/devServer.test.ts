import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createServer, type ViteDevServer } from 'vite';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { testMistake } from '../../mistakes/testMistake.js';

const root = fileURLToPath(new URL('.output/dev-server', import.meta.url));
let server: ViteDevServer;

beforeEach(async () => {
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'index.html'), '<script type="module" src="/main.js"></script>');
  await writeFile(
    join(root, 'main.js'),
    `import { createWidgetSigner } from '@partner-ramp/react/server';\nwindow.used = createWidgetSigner;\n`,
  );
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    mode: 'development',
    cacheDir: join(root, 'cache'),
    // These are Vite's defaults in development. They are set here because NODE_ENV is production in these tests.
    resolve: { conditions: ['module', 'browser', 'development'] },
    server: { host: '127.0.0.1', port: 0, ws: false },
  });
  await server.listen();
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

/** Requests the page's module and the bundled package, as a browser does. Returns the path of the bundled package. */
async function loadDependency(): Promise<string> {
  const main = await server.transformRequest('/main.js');
  // With a named import, the browser would only report a missing export, not the error that the package throws.
  expect(main?.code).not.toMatch(/import \{ createWidgetSigner \}/);
  const url = main?.code.match(/ from "([^"]+_server\.js[^"]*)"/)?.[1] ?? '';
  const { status } = await fetch(new URL(url, server.resolvedUrls?.local[0]));
  expect(status).toBe(200);
  return new URL(url, 'file:///').pathname;
}

describe("a page in Vite's dev server", () => {
  testMistake(37, async () => {
    // The dev server may respond with 504 until it has bundled the package. A page would reload, so the test retries.
    const file = join(root, await vi.waitFor(loadDependency, { timeout: 20_000 }));
    const load = import(/* @vite-ignore */ pathToFileURL(file).href);
    return load.then(() => 'nothing', String);
  });
});
