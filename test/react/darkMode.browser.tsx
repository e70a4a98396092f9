import { render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { CheckoutStatus, OnRampButton, RampProvider } from '../../src/index.js';
import { widgetUrl } from '../support/browser/onRampButtonPage.js';
import { quoteBackend, respondToAll } from '../support/browser/quoteBackend.js';
import { root as preview, renderPreview } from '../support/browser/quotePreviewPage.js';

const { documentElement: html, body } = document;
afterEach(() => {
  for (const element of [html, body]) {
    element.classList.remove('dark');
    element.removeAttribute('data-theme');
  }
  document.querySelector('style[data-test]')?.remove();
});
const addStyle = (text: string) => {
  const style = document.head.appendChild(document.createElement('style'));
  style.dataset.test = '';
  style.textContent = text;
};
const surface = (element: Element) => getComputedStyle(element).backgroundColor;
const light = 'rgb(255, 255, 255)';
const dark = 'rgb(22, 27, 27)';

describe('the styles in dark mode', () => {
  it.each<[string, () => void]>([
    ['the class on the root', () => html.classList.add('dark')],
    ['data-theme on the root', () => html.setAttribute('data-theme', 'dark')],
    ['the class on the body', () => body.classList.add('dark')],
    [
      'the class before a page-wide light scheme',
      () => {
        html.classList.add('dark');
        addStyle('.dark { color-scheme: dark } :root { color-scheme: light }');
      },
    ],
  ])('follows %s', (_, set) => {
    quoteBackend(respondToAll);
    renderPreview();
    const { container } = render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        <OnRampButton />
        <CheckoutStatus reference="r1" />
      </RampProvider>,
    );
    const cards = [preview(), container.querySelector('.ramp-status') as Element];
    expect(cards.map(surface)).toEqual([light, light]);
    set();
    expect(cards.map(surface)).toEqual([dark, dark]);
    const button = container.querySelector('.ramp-button') as Element;
    expect(getComputedStyle(button).colorScheme).toBe('dark');
  });

  it("keeps the page's colour scheme, and has lower priority than a rule of the page", () => {
    quoteBackend(respondToAll);
    renderPreview();
    html.classList.add('dark');
    expect(getComputedStyle(html).colorScheme).toBe('normal');
    addStyle('.ramp-quote { color-scheme: light }');
    expect(surface(preview())).toBe(light);
  });
});
