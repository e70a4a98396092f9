import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PrintArt } from '../storefront/src/PrintArt.js';
import { featured, prints } from '../storefront/src/prints.js';

const draw = (print: (typeof prints)[number] | typeof featured) =>
  renderToStaticMarkup(createElement(PrintArt, { print }));

describe('<PrintArt />', () => {
  it('draws the same print from the same number, and another from another', () => {
    for (const print of [featured, ...prints]) {
      expect(draw(print)).toBe(draw(print));
      expect(draw({ ...print, tokenId: `${print.tokenId}1` })).not.toBe(draw(print));
      expect(draw(print)).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it('gives each print a number and a name of its own', () => {
    expect(new Set(prints.map(({ tokenId }) => tokenId)).size).toBe(prints.length);
    for (const print of prints) expect(draw(print)).toContain('<title>');
  });
});
