import { describe, expect, it } from 'vitest';
import { appendPage, replaceNewest } from '../../../src/client/watch/historyPages.js';
import type { ListedCheckout } from '../../../src/protocol/handler/CheckoutResponse.js';

const checkout = (reference: string, createdAt: number, progress = 'waiting') =>
  ({ reference, createdAt, progress, widget: 'on-ramp', orders: [] }) as ListedCheckout;
const list = (...pairs: [string, number][]) => pairs.map((pair) => checkout(...pair));
const references = ({ checkouts }: { checkouts: readonly ListedCheckout[] }) =>
  checkouts.map(({ reference }) => reference).join('');

describe('appendPage', () => {
  it('adds only checkouts that are not known, and takes the cursor of the page', () => {
    const known = { checkouts: list(['c', 3], ['b', 2]), nextCursor: 'b' };
    const pages = appendPage(known, { checkouts: list(['b', 2], ['a', 1]) });
    expect([references(pages), pages.nextCursor]).toEqual(['cba', undefined]);
  });
});

describe('replaceNewest', () => {
  const known = { checkouts: list(['d', 4], ['c', 3], ['b', 2], ['a', 1]), nextCursor: 'a' };

  it('takes the first page', () => {
    const page = { checkouts: list(['a', 1]), nextCursor: 'a' };
    expect(replaceNewest(undefined, page)).toBe(page);
  });

  it('adds new checkouts, updates known ones and keeps older ones with their cursor', () => {
    const page = { checkouts: [checkout('e', 5), checkout('d', 4, 'finished')], nextCursor: 'd' };
    const pages = replaceNewest(known, page);
    expect([references(pages), pages.nextCursor]).toEqual(['edcba', 'a']);
    expect(pages.checkouts[1]?.progress).toBe('finished');
  });

  it('removes a checkout that is no longer listed', () => {
    const page = { checkouts: list(['d', 4], ['b', 2]), nextCursor: 'b' };
    expect(references(replaceNewest(known, page))).toBe('dba');
  });

  it('keeps older ones although the last of the page is new', () => {
    const page = { checkouts: list(['f', 6], ['e', 5]), nextCursor: 'e' };
    expect(references(replaceNewest(known, page))).toBe('fedcba');
  });

  it('replaces the whole list with a page without a cursor, or an empty one', () => {
    expect(references(replaceNewest(known, { checkouts: list(['d', 4]) }))).toBe('d');
    expect(references(replaceNewest(known, { checkouts: [] }))).toBe('');
  });

  it('takes the cursor of a page that reaches the last known checkout', () => {
    const page = {
      checkouts: list(['e', 5], ['d', 4], ['c', 3], ['b', 2], ['a', 1]),
      nextCursor: 'x',
    };
    expect(replaceNewest(known, page).nextCursor).toBe('x');
  });
});
