import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { listings } from '../../src/prints/listings.js';
import { drawings, featuredDrawing, type PrintDrawing } from '../../storefront/src/art/drawings.js';
import { PrintArt } from '../../storefront/src/art/PrintArt.js';

const draw = (drawing: PrintDrawing, title?: string) =>
  renderToStaticMarkup(createElement(PrintArt, { drawing, title }));

describe('<PrintArt />', () => {
  it('draws the same print for the same number, and another for another number', () => {
    for (const drawing of [featuredDrawing, ...drawings]) {
      expect(draw(drawing)).toBe(draw(drawing));
      const other = { ...drawing, number: `${drawing.number}1` };
      expect(draw(other, 'One')).not.toBe(draw(drawing, 'One'));
      expect(draw(drawing)).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it('has its title as accessible name, and its number until the title is loaded', () => {
    expect(draw(featuredDrawing, featuredDrawing.title)).toContain(
      `<title>${featuredDrawing.title}</title>`,
    );
    expect(draw(featuredDrawing)).toContain('<title>Print no. 2209</title>');
  });
});

describe('drawings', () => {
  it('contains the prints that the server has for sale', () => {
    const numbers = drawings.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(6);
    expect(listings.map(({ number }) => number)).toEqual(numbers);
  });
});
