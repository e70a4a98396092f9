import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockScroll } from '../../../../src/react/checkout/views/lockScroll.js';

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

describe('A page that is held still', () => {
  it.each([
    ['', ''],
    ['overflow: scroll;', ''],
    ['overflow-y: scroll;', ''],
    ['', 'overflow-x: hidden;'],
    ['', 'overflow-y: scroll;'],
    ['overflow: auto;', 'overflow: clip;'],
  ])('with html "%s" and body "%s" keeps its place, what sticks, and its own styles', (...own) => {
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

  it('is let go by the last of those that hold it, in whichever order', () => {
    const [first, second] = [lockScroll(html), lockScroll(html)];
    first();
    expect(body.style.overflow).toBe('hidden');
    second();
    expect(styles()).toEqual(['', '']);
  });

  it('keeps what it has set for itself meanwhile', () => {
    html.style.overflow = 'hidden';
    const release = lockScroll(html);
    // A drawer of the page closes behind the dialog, and lets go of the page.
    html.style.overflow = '';
    release();
    expect(styles()).toEqual(['', '']);
  });
});
