// Measures what a shopper feels in the example shop, with a CPU that is four times slower:
// - the time from a click on the button until the dialog is painted. The code and the signature are there before the
//   click, as after a hover. The baseline is a plain button on the same page that opens a bare <dialog> with the same
//   frame.
// - the time that the page's script runs for one digit that is typed into the price card, including the new price.
// Start the shop with `npm start`, and another build of it on other ports to compare both in one run. Then:
// node tools/bench/page.bench.mjs RUNS http://127.0.0.1:4000 [ANOTHER_SHOP …]
import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const SLOWER = 4;
const DIGITS = ['1', '2', '3', '4', '5'];
const runs = Number(process.argv[2]);
const shops = process.argv.slice(3);

const record = fileURLToPath(new URL('../../node_modules/.cache/browser.json', import.meta.url));
const { executablePath, env } = existsSync(record) ? JSON.parse(readFileSync(record)) : {};
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  env: { ...process.env, ...env },
  args: ['--no-sandbox', '--disable-gpu'],
});

/** Runs in the page before its scripts: `painted` resolves with the time from the click until the dialog is painted. */
function watchClick() {
  let clicked;
  addEventListener(
    'click',
    (event) => {
      clicked = event.timeStamp;
    },
    true,
  );
  window.painted = new Promise((resolve) => {
    // In a task after the next animation frame has begun, that frame is painted.
    const settle = () =>
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
    const observer = new MutationObserver(() => {
      if (!document.querySelector('dialog[open]')) return;
      observer.disconnect();
      settle();
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
}

function addBareButton(src) {
  const button = document.createElement('button');
  button.textContent = 'Bare dialog';
  button.onclick = () => {
    const dialog = document.createElement('dialog');
    const frame = document.createElement('iframe');
    frame.src = src;
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
  };
  document.querySelector('main').prepend(button);
}

/** Opens the shop, signed in, and waits until it shows a price. */
async function openShop(shop) {
  const page = await browser.newPage();
  await page.addInitScript(watchClick);
  await page.goto(shop);
  const signIn = page.getByRole('button', { name: /^Sign in/ }).first();
  await page.locator('button.buy').first().waitFor();
  if (await signIn.isVisible()) await signIn.click();
  await page.getByRole('button', { name: 'Open in a window instead' }).waitFor();
  await page.waitForTimeout(1000);
  return page;
}

async function throttle(page, rate) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return session;
}

/** Returns the milliseconds from the click to the paint, and the address in the frame. */
async function measureClick(shop, bareSrc) {
  const page = await openShop(shop);
  if (bareSrc) await page.evaluate(addBareButton, bareSrc);
  const button = bareSrc
    ? page.getByRole('button', { name: 'Bare dialog' })
    : page.locator('button.buy').first();
  await button.hover();
  // After this time, the code and the signature are there.
  await page.waitForTimeout(1500);
  await throttle(page, SLOWER);
  await page.mouse.down();
  await page.mouse.up();
  const ms = await page.evaluate('painted');
  await page.locator('dialog[open] iframe').waitFor();
  const src = await page.locator('dialog[open] iframe').getAttribute('src');
  await page.close();
  return { ms, src };
}

/** Returns the milliseconds of script for each typed digit. */
async function measureTyping(shop) {
  const page = await openShop(shop);
  const field = page.getByRole('textbox').first();
  await field.fill('');
  await page.waitForTimeout(1500);
  const session = await throttle(page, SLOWER);
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'ScriptDuration').value;
  };
  const before = await read();
  for (const digit of DIGITS) {
    await page.keyboard.press(digit);
    await page.waitForTimeout(1500);
  }
  const after = await read();
  await page.close();
  return (after - before) / DIGITS.length;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const print = (text) => process.stdout.write(`${text}\n`);
const list = (values) => values.map((value) => value.toFixed(0)).join(' ');

const { src } = await measureClick(shops[0]);
const bare = [];
const results = shops.map((shop) => ({ shop, clicks: [], digits: [] }));
for (let run = 0; run < runs; run++) {
  bare.push((await measureClick(shops[0], src)).ms);
  for (const { shop, clicks, digits } of results) {
    clicks.push((await measureClick(shop)).ms);
    digits.push(await measureTyping(shop));
  }
}
await browser.close();

print(`bare dialog: ${list(bare)} ms, median ${median(bare).toFixed(0)}`);
for (const { shop, clicks, digits } of results) {
  const ratio = median(clicks) / median(bare);
  print(
    `${shop}: dialog ${list(clicks)} ms, median ${median(clicks).toFixed(0)}, ${ratio.toFixed(2)} ×`,
  );
  print(`${shop}: script for one digit ${list(digits)} ms, median ${median(digits).toFixed(0)}`);
}
print(`load average ${loadavg()[0].toFixed(1)}`);
