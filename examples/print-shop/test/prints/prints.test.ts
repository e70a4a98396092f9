import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { listings } from '../../src/prints/listings.js';
import { Gallery } from '../../storefront/src/gallery/Gallery.js';
import { PrintArt } from '../../storefront/src/shop/PrintArt.js';
import type { Shop } from '../../storefront/src/shop/useShop.js';

const render = (number: string, title?: string) =>
  renderToStaticMarkup(createElement(PrintArt, { number, title }));

describe('<PrintArt />', () => {
  it.each(['2209', ...listings.map(({ number }) => number)])(
    'has a picture of no. %s',
    (number) => {
      expect(render(number)).toContain(`src="/prints/${number}.svg"`);
      const picture = new URL(`../../storefront/public/prints/${number}.svg`, import.meta.url);
      expect(readFileSync(picture, 'utf8')).toMatch(/^<svg .+<\/svg>\n$/s);
    },
  );

  it('has its title as accessible name, and its number until the title is loaded', () => {
    expect(render('2209', 'Eight Ridges, Evening')).toContain('alt="Eight Ridges, Evening"');
    expect(render('2209')).toContain('alt="Print no. 2209"');
  });
});

describe('<Gallery />', () => {
  it('contains the prints that the server has for sale', () => {
    const shop = { session: undefined, listings: undefined, isUnreachable: false } as Shop;
    const gallery = renderToStaticMarkup(createElement(Gallery, { shop }));
    expect([...gallery.matchAll(/src="\/prints\/(\d+)\.svg/g)].map(([, number]) => number)).toEqual(
      listings.map(({ number }) => number),
    );
  });
});
