import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockScroll } from '../../../../src/client/checkout/views/dialog.js';

const html = document.documentElement;
const { body } = document;
let tall: HTMLElement;

beforeEach(() => {
  tall = body.appendChild(document.createElement('div'));
  tall.style.height = '5000px';
});
afterEach(() => {
  tall.remove();
  for (const { style } of [html, body]) style.cssText = '';
  scrollTo(0, 0);
});

const styles = () => [html.style.cssText, body.style.cssText];

describe('lockScroll', () => {
  it.each([
    ['', ''],
    ['overflow: scroll;', ''],
    ['overflow-y: scroll;', ''],
    ['', 'overflow-x: hidden;'],
    ['', 'overflow-y: scroll;'],
    ['overflow: auto;', 'overflow: clip;'],
  ])('keeps scroll position, sticky elements and styles with html "%s" and body "%s"', (...own) => {
    html.style.cssText = own[0];
    body.style.cssText = own[1];
    const before = styles();
    const head = body.insertBefore(document.createElement('div'), body.firstChild);
    head.style.cssText = 'position: sticky; top: 0; height: 20px';
    scrollTo(0, 800);
    const at = () => [scrollY, head.getBoundingClientRect().top];
    expect(at()).toEqual([800, 0]);
    const release = lockScroll(html);
    expect(at()).toEqual([800, 0]);
    expect([html, body].map((one) => getComputedStyle(one).overflowY)).toContain('hidden');
    release();
    expect(at()).toEqual([800, 0]);
    expect(styles()).toEqual(before);
    head.remove();
  });

  it('releases the page when the last lock is released, in any order', () => {
    const [first, second] = [lockScroll(html), lockScroll(html)];
    first();
    expect(body.style.overflow).toBe('hidden');
    second();
    expect(styles()).toEqual(['', '']);
  });

  it('keeps a style that the page has set meanwhile', () => {
    html.style.overflow = 'hidden';
    const release = lockScroll(html);
    // A drawer of the page closes behind the dialog, and releases its own scroll lock.
    html.style.overflow = '';
    release();
    expect(styles()).toEqual(['', '']);
  });
});
