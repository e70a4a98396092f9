import { act, render, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  appendElement,
  clickElement,
  createFrameDocument,
  createShadowTree,
  renderInto,
} from '../../support/browser/domFixtures.js';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import { hundred, previewPage } from '../../support/browser/quotePreviewPage.js';

type Tree = Document | ShadowRoot;
const card = () => previewPage({ defaultValue: hundred });

const places: readonly [string, () => Tree][] = [
  [
    'a portal into the document of a frame',
    () => {
      const inside = createFrameDocument();
      render(createPortal(card(), inside.body));
      return inside;
    },
  ],
  ...(['open', 'closed'] as const).map((mode): [string, () => Tree] => [
    `the ${mode} shadow tree of a component`,
    () => {
      const tree = createShadowTree(mode);
      renderInto(tree, card());
      return tree;
    },
  ]),
];

it.each(places)('the currency list of <QuotePreview /> works in %s', async (_, show) => {
  // At this width, the list does not fill the screen as it does on a phone.
  await page.viewport(800, 900);
  quoteBackend(respondToAll);
  const tree = show();
  const around = tree instanceof ShadowRoot ? document : tree;
  const find = (selector: string) => tree.querySelector(selector) as HTMLElement;
  const pill = () => find('button.ramp-quote-pill');
  const becomesOpen = (is: boolean) =>
    waitFor(() => expect(tree.querySelectorAll('[role="listbox"]')).toHaveLength(is ? 1 : 0));
  await waitFor(() => expect(pill()?.textContent).toContain('USD'));

  await clickElement(pill());
  await becomesOpen(true);
  expect(tree.activeElement).toBe(find('[role="combobox"]'));
  await clickElement(find('.ramp-quote-search'));
  await becomesOpen(true);
  await clickElement(find('[role="option"]:nth-child(2)'));
  await becomesOpen(false);
  expect(pill().textContent).toContain('EUR');
  expect(tree.activeElement).toBe(pill());

  await clickElement(pill());
  await becomesOpen(true);
  await clickElement(find('.ramp-quote-label'));
  await becomesOpen(false);
  await clickElement(pill());
  await becomesOpen(true);
  await userEvent.keyboard('{Tab}{Tab}');
  await becomesOpen(false);

  await clickElement(pill());
  await becomesOpen(true);
  const other = appendElement(around.createElement('input'), around.body);
  act(() => other.focus());
  await becomesOpen(false);
  expect(around.activeElement).toBe(other);
});
