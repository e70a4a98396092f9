// Measures how long a documentation page of the built Storybook takes from the navigation until its last story is
// rendered. Needs npm run build-storybook. Each page is loaded several times, each time in a new browser context.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import express from 'express';
import { chromium } from 'playwright';

const ROUNDS = 5;
const LIMIT_MS = 2000;

const record = 'node_modules/.cache/browser.json';
const { executablePath, env } = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Returns whether all stories of the page are rendered, have run, and show their data. Runs in the page. */
function isRendered() {
  const stories = [...document.querySelectorAll('.sb-story [id$="-inner"]')];
  const renders = window.__STORYBOOK_PREVIEW__?.storyRenders ?? [];
  // In the phase "completing", the story is shown, and Storybook waits up to five seconds for its animations.
  const isDone = ({ phase }) => /^(?:completing|completed|afterEach|finished)$/.test(phase);
  const isLoading = (story) =>
    story.querySelector('[data-state="loading"]') && !story.id.includes('--loading');
  return (
    stories.length > 0 &&
    renders.length >= stories.length &&
    renders.every(isDone) &&
    !stories.some(isLoading)
  );
}

const server = express().use(express.static('storybook-static')).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${server.address().port}/`;
const { entries } = await (await fetch(`${address}index.json`)).json();
const pages = Object.values(entries).filter(
  ({ type, title }) => type === 'docs' && title.startsWith('Components/'),
);
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu'],
  ...(executablePath && { executablePath }),
  ...(env && { env: { ...process.env, ...env } }),
});
try {
  for (const { id, title } of pages) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const start = performance.now();
      await page.goto(`${address}iframe.html?id=${id}&viewMode=docs`, { waitUntil: 'commit' });
      await page.waitForFunction(isRendered, undefined, { polling: 20, timeout: 60_000 });
      times.push(performance.now() - start);
      await page.close();
    }
    const [ms, slowest] = [median(times), Math.max(...times)];
    console.log(
      `${title}: ${Math.round(ms)} ms, slowest ${Math.round(slowest)} ms, limit ${LIMIT_MS} ms`,
    );
    if (ms > LIMIT_MS) process.exitCode = 1;
  }
} finally {
  await browser.close();
  server.close();
}
