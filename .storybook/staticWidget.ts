import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';

/**
 * The path of the hosted widget in Storybook. The widget is served locally, so that the stories send no requests to
 * other hosts.
 */
const PATH = 'widget/home';

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Fails the build when a Node.js module is imported. Otherwise Vite may replace the module with an empty one. */
const browserOnly: Plugin = {
  name: 'browser-only',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id.startsWith('node:')) this.error(`${id} is imported by ${importer}.`);
  },
};

/**
 * Builds the sandbox's widget as one HTML file, which any static server can serve from any folder. The page verifies
 * its own URL, because there is no server to do it.
 */
async function buildWidgetPage(): Promise<string> {
  const built = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [browserOnly, react()],
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      rolldownOptions: {
        input: resolvePath('widget/main.ts'),
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  const script = built.output[0].code.replace(/<(?=\/script|!--)/gi, '\\x3c');
  const style = built.output.map((each) => (each.type === 'asset' ? each.source : '')).join('');
  return readFileSync(resolvePath('../src/sandbox/widget/index.html'), 'utf8')
    .replace(/<script .*<\/script>/, () => `<style>${style}</style>`)
    .replace('</body>', () => `<script type="module">${script}</script></body>`);
}

/** The cached page. It is built once for all servers, and again after a file has changed. */
let page: Promise<string> | undefined;
const getWidgetPage = () => {
  page ??= buildWidgetPage();
  return page;
};

/** Serves the widget's page in development and tests, and writes it into the built Storybook. */
export function staticWidget(): Plugin {
  return {
    name: 'static-widget',
    async configureServer({ middlewares, watcher }) {
      // Build the page before the first story, because tests do not wait long enough for a build.
      await getWidgetPage();
      watcher.on('change', () => {
        page = undefined;
      });
      middlewares.use(`/${PATH}`, (_request, response, next) => {
        getWidgetPage().then((html) => {
          response.setHeader('Content-Type', 'text/html; charset=utf-8');
          response.end(html);
        }, next);
      });
    },
    async generateBundle() {
      const source = await getWidgetPage();
      this.emitFile({ type: 'asset', fileName: `${PATH}/index.html`, source });
    },
  };
}
