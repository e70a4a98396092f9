import {
  type Refusal,
  refusalStyles,
  renderRefusalPage,
} from '../../src/sandbox/checkout/refusal.js';

/** Replaces this page, including its styles, with the sandbox's refusal page. */
export function showRefusal(refusal: Refusal): void {
  const page = new DOMParser().parseFromString(renderRefusalPage(refusal), 'text/html');
  const style = page.createElement('style');
  style.textContent = refusalStyles;
  page.querySelector('link[rel="stylesheet"]')?.replaceWith(style);
  document.documentElement.replaceWith(document.adoptNode(page.documentElement));
}
