// Shows for each browser whether a frame or window of another site uses a preconnected connection. Prints how old the
// connection was when the request arrived, with and without a preconnect. It never fails.
// Run it manually, with Firefox ESR 153 installed: node test/bench/preconnect.mjs
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium, firefox } from 'playwright';

const FIREFOX = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';
const found = JSON.parse(readFileSync('node_modules/.cache/browser.json', 'utf8'));

const browsers = {
  chromium: () =>
    chromium.launch({
      ...(found.executablePath && { executablePath: found.executablePath }),
      ...(found.env && { env: { ...process.env, ...found.env } }),
      // By default Playwright passes this argument, which disables preconnect.
      ignoreDefaultArgs: ['--disable-background-networking'],
      args: ['--no-sandbox', '--disable-gpu'],
    }),
  firefox: () =>
    firefox.launch({
      channel: 'moz-firefox',
      executablePath: FIREFOX,
      // An automated Firefox does not preconnect by default. This preference turns preconnect on.
      firefoxUserPrefs: { 'network.http.speculative-parallel-limit': 20 },
    }),
};

/** For each request: when its connection was opened (`opened`), and when the request arrived (`came`). */
const requests = [];
const openedAt = new WeakMap();
const widget = createServer((request, response) => {
  requests.push({ path: request.url, opened: openedAt.get(request.socket), came: Date.now() });
  response.setHeader('Content-Type', 'text/html').end('<p>The widget</p>');
});
widget.on('connection', (socket) => openedAt.set(socket, Date.now()));
const shop = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><body>');
});
for (const server of [widget, shop]) await once(server.listen(0, '127.0.0.1'), 'listening');
// Use both host names, because browsers treat `localhost` and 127.0.0.1 as two sites.
const widgetOrigin = `http://localhost:${widget.address().port}`;
const shopOrigin = `http://127.0.0.1:${shop.address().port}`;

let visits = 0;

async function visit(browser, ahead, display) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shopOrigin);
  const path = `/${++visits}`;
  await page.evaluate(
    async ([origin, path, ahead, display]) => {
      const link = document.createElement('link');
      link.rel = 'preconnect';
      link.href = origin;
      if (ahead) document.head.append(link);
      await new Promise((done) => setTimeout(done, 500));
      if (display === 'window') return void window.open(origin + path);
      const frame = document.createElement('iframe');
      frame.src = origin + path;
      document.body.append(frame);
    },
    [widgetOrigin, path, ahead, display],
  );
  await page.waitForTimeout(1000);
  await context.close();
  const request = requests.find((one) => one.path === path);
  return request ? request.came - request.opened : undefined;
}

for (const [name, launch] of Object.entries(browsers)) {
  if (name === 'firefox' && !existsSync(FIREFOX)) continue;
  const browser = await launch();
  for (const display of ['frame', 'window'])
    for (const ahead of [false, true]) {
      const age = await visit(browser, ahead, display);
      const how = ahead ? 'with preconnect' : 'without        ';
      console.log(
        `${name} ${display} ${how}: its connection was ${age} ms old when the request arrived`,
      );
    }
  await browser.close();
}
for (const server of [widget, shop]) server.close().closeAllConnections();
