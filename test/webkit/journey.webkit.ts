import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../support/shop/startDemo.js';
import { startWebKit, type WebKitWindow } from './startWebKit.js';

let demo: Demo;
let browser: WebKitWindow;
beforeAll(async () => {
  demo = await startDemo();
  browser = await startWebKit();
});
afterAll(async () => {
  await browser?.close();
  await demo?.close();
});

/** An XPath condition on the text of a button, with white space of any kind as one space. */
const button = (start: string) =>
  `//button[starts-with(normalize-space(translate(., '\u00a0', ' ')), '${start}')]`;
const main = (state: string) => `//main[@data-state='${state}']`;

describe('a shopper in the engine of Safari', () => {
  it('buys in the dialog, sees the order delivered, and has the focus back on the button', async () => {
    await browser.open(demo.shopUrl);
    await browser.find("//*[contains(@class, 'ramp-quote') and @data-state='success']");
    await browser.click(button('Buy '));

    await browser.enterFrame('//dialog//iframe');
    await browser.find(main('form'));
    await browser.click(button('Continue'));
    await browser.type("//input[@type='email']", 'shopper@example.com');
    await browser.click(button('Pay '));
    await browser.find(main('finished'));
    expect(demo.sandbox.orders()).toHaveLength(1);
    await browser.leaveFrame();

    await browser.click("//dialog//button[@aria-label='Close the checkout']");
    await browser.find("//*[contains(@class, 'ramp-status-title') and .='Delivered']");
    const focused = await browser.evaluate<string>('return document.activeElement.textContent');
    expect(focused).toMatch(/^Buy/);
    const style = 'getComputedStyle(document.body)';
    expect(await browser.evaluate(`return ${style}.overflow`)).toBe('visible');
  });

  it('sees amounts that do not break, and a page that fits the window', async () => {
    await browser.open(demo.shopUrl);
    await browser.find("//*[contains(@class, 'ramp-quote') and @data-state='success']");
    const lines = await browser.evaluate<number>(`
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('.ramp-quote-result'));
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
    `);
    expect(lines).toBe(1);
    const width = 'document.documentElement';
    expect(await browser.evaluate(`return ${width}.scrollWidth <= ${width}.clientWidth`)).toBe(
      true,
    );
  });
});
