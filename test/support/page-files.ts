import type { RequestHandler } from 'express';
import { build, type Rolldown } from 'vite';
import { page, pageOf } from './bundle-page.js';

/**
 * Serves a page made of an entry module given as text, React and the built package with it, in as many
 * files as a storefront's own build makes of it.
 */
export async function pageFiles(text: string): Promise<RequestHandler> {
  const output = await build({
    ...pageOf(text),
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: page, formats: ['es'], fileName: 'page' },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const [{ output: files }] = output as [Rolldown.RolldownOutput];
  const code = new Map(
    files.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : [])),
  );
  const entry = files.find((file) => file.type === 'chunk' && file.isEntry)?.fileName;
  const html = `<!doctype html><html lang="en"><title>Shop</title><body><script type="module" src="/${entry}"></script>`;
  return ({ path }, response, next) => {
    const script = code.get(path);
    if (script) response.type('text/javascript').send(script);
    else if (path === '/') response.type('html').send(html);
    else next();
  };
}
