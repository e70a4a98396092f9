import type { Plugin } from 'vite';

/** Where the stories find "the hosted widget", below their own address: nothing leaves the machine. */
const PATH = 'widget/home';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hosted widget</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 32px 24px; background: light-dark(#fff, #161b1b);
    color: light-dark(#16201f, #e8eeec); font: 15px/1.5 system-ui, sans-serif; }
  h1 { margin: 0 0 8px; font-size: 20px; }
  p { margin: 0; color: light-dark(#55625f, #a3b0ad); }
</style>
<main>
  <h1>The hosted widget</h1>
  <p>In a shop the service shows its payment form here. This page stands in for it.</p>
</main>
</html>
`;

/** Serves the page in development and tests, and writes it into the built Storybook. */
export function placeholderWidget(): Plugin {
  return {
    name: 'placeholder-widget',
    configureServer({ middlewares }) {
      middlewares.use(`/${PATH}`, (_request, response) => {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(page);
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: `${PATH}/index.html`, source: page });
    },
  };
}
