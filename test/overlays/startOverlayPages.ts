import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { root } from '../support/root.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/** A widget that a shopper can use: it says what was clicked, and what was typed. */
const widget = `<!doctype html><title>Widget</title>
<button onclick="this.textContent = 'Paid'">Pay</button>
<input aria-label="E-mail">`;

/** Starts a site with the widget, and a site with a page for each overlay, bundled with the libraries of this folder. */
export async function startOverlayPages() {
  const service = await startSite(
    () => () => new Response(widget, { headers: { 'Content-Type': 'text/html' } }),
  );
  const files = await buildPages();
  const shop = await startSite(() => (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/')
      return new Response(
        `<!doctype html><html lang="en"><title>Shop</title><link rel="stylesheet" href="/main.css">
<body><script type="module" src="/main.js"></script></body></html>`,
        { headers: { 'Content-Type': 'text/html' } },
      );
    const file = files.get(pathname);
    const type = pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
    return file === undefined
      ? new Response(null, { status: 404 })
      : new Response(file, { headers: { 'Content-Type': type } });
  });
  return {
    /** @param library - The first part of the name of a file in `pages`. @param kind - An export of that file. */
    url: (library: string, kind: string) =>
      `${shop.origin}/?${new URLSearchParams({ library, kind, widget: service.origin })}`,
    close: async () => void (await Promise.all([shop, service].map((site: Site) => site.close()))),
  };
}

async function buildPages(): Promise<ReadonlyMap<string, string>> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    // The libraries and the components share the React of the project.
    resolve: { dedupe: ['react', 'react-dom'] },
    // A development build, so that the page prints the warnings for developers.
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      cssMinify: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(root, 'test/overlays/pages/main.tsx'),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          assetFileNames: '[name][extname]',
        },
      },
    },
  });
  return new Map(
    (output as Rolldown.RolldownOutput).output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : `${file.source}`,
    ]),
  );
}
