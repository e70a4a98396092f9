// Measures the time from a click until the dialog of the checkout is painted, with a CPU that is four times slower. The
// baseline is a plain button on the same page that opens a bare <dialog> with an iframe. The code and the signature are
// there before the click, as after a hover. Run it after `npm run build`, also with the builds of other commits:
// node test/bench/click.bench.mjs [RUNS [DIST …]]
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runs = Number(process.argv[2] ?? 5);
const builds = process.argv.length > 3 ? process.argv.slice(3) : ['dist'];
const SLOWER = 4;
const PRODUCTS = 200;

const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { OnRampButton, RampProvider } from '@partner-ramp/react';

const widgetUrl = new URLSearchParams(location.search).get('widgetUrl');
// Two tasks after the next animation frame has begun, that frame is painted.
const afterPaint = (then) => requestAnimationFrame(() => setTimeout(then));
let clicked;
addEventListener('click', (event) => { clicked = event.timeStamp; }, true);
window.painted = new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('dialog[open]')) return;
    observer.disconnect();
    afterPaint(() => resolve(performance.now() - clicked));
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
});

function openBare() {
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  frame.src = widgetUrl;
  dialog.append(frame);
  document.body.append(dialog);
  dialog.showModal();
}
const products = Array.from({ length: ${PRODUCTS} }, (_, i) =>
  h('li', { key: i }, h('h2', null, 'Product ' + i), h('p', null, 'Its price and its text')));
const signer = async () => ({ params: { signature: 'signed' }, reference: 'r1', expiresInSeconds: 240 });
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(RampProvider, { widgetUrl, signer },
    h('button', { type: 'button', onClick: openBare }, 'Bare dialog'),
    h(OnRampButton, { amount: '100' }),
    h('ul', null, products)));
`;

/** Bundles the page with a build of the package. Returns the files of the page by path. */
async function buildPage(dist) {
  const entry = join(root, 'click.js');
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { '@partner-ramp/react': join(dist, 'index.js') } },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? script : undefined),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: entry, output: { entryFileNames: 'page.js' } },
    },
  });
  const files = new Map(output.map(({ fileName, code }) => [`/${fileName}`, code]));
  return files.set('/styles.css', readFileSync(join(dist, 'styles.css'), 'utf8'));
}

const html = `<!doctype html><html lang="en"><title>Shop</title><link rel="stylesheet" href="/styles.css">
<body><script type="module" src="/page.js"></script>`;

/** Starts a server on a free port of the loopback interface. `respond` returns a body and its type. */
const serve = (respond) =>
  new Promise((done) => {
    const server = createServer(({ url }, response) => {
      const [body, type = 'text/html'] = respond(new URL(url, 'http://shop').pathname);
      response.setHeader('Content-Type', type);
      response.end(body);
    }).listen(0, '127.0.0.1', () => done({ server, port: server.address().port }));
  });

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const service = await serve(() => ['<!doctype html><title>Widget</title><h1>The widget</h1>']);
const shops = await Promise.all(
  builds.map(async (name) => {
    const files = await buildPage(resolve(root, name));
    return serve((path) => {
      const file = files.get(path);
      return file ? [file, path.endsWith('.css') ? 'text/css' : 'text/javascript'] : [html];
    });
  }),
);
const record = join(root, 'node_modules/.cache/browser.json');
const { executablePath, env } = existsSync(record) ? JSON.parse(readFileSync(record)) : {};
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  env: { ...process.env, ...env },
  args: ['--no-sandbox', '--disable-gpu'],
});

async function measure(name, { port }) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/?widgetUrl=http://localhost:${service.port}`);
  await page.getByRole('button', { name }).hover();
  // After this time, the code and the signature are there.
  await page.waitForTimeout(1000);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.mouse.down();
  await page.mouse.up();
  const ms = await page.evaluate('painted');
  await page.close();
  return ms;
}

const subjects = [
  { title: 'bare dialog', button: 'Bare dialog', shop: shops[0], times: [] },
  ...builds.map((title, i) => ({ title, button: 'Buy crypto', shop: shops[i], times: [] })),
];
for (let run = -1; run < runs; run++)
  for (const { button, shop, times } of subjects) {
    const ms = await measure(button, shop);
    // The first run warms up the caches of the browser.
    if (run >= 0) times.push(ms);
  }
await browser.close();
for (const { server } of [service, ...shops]) server.close();

const [bare] = subjects;
for (const { title, times } of subjects) {
  const ratio = median(times) / median(bare.times);
  const fastest = Math.min(...times) / Math.min(...bare.times);
  process.stdout.write(
    `${title}: ${times.map(Math.round).join(' ')} ms; median ${Math.round(median(times))} ms, ${ratio.toFixed(2)} ×; fastest ${fastest.toFixed(2)} ×\n`,
  );
}
process.stdout.write(`load average ${loadavg()[0].toFixed(1)}\n`);
