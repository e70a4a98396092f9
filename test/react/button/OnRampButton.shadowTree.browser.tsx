import { act, cleanup, render, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type CheckoutDisplay,
  OnRampButton,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import {
  appendElement,
  clickElement,
  createFrameDocument,
  createShadowTree,
  renderInto,
} from '../../support/browser/domFixtures.js';

const widgetUrl = `${location.origin}/widget`;
const buttonIn = (tree: ParentNode) => tree.querySelector('.ramp-button') as HTMLButtonElement;
const viewIn = (tree: ParentNode) =>
  tree.querySelector<HTMLElement>('.ramp-dialog[open], .ramp-inline');
const closeIn = (tree: ParentNode) =>
  tree.querySelector('.ramp-bar-close') as HTMLButtonElement | null;
const shownIn = (tree: ParentNode) =>
  waitFor(() => expect(viewIn(tree)?.dataset.state).toBe('ready'));

afterEach(cleanup);

/** Opens the widget with the button in this tree, expects the widget in the same tree, and closes it. */
async function worksIn(tree: Document | ShadowRoot): Promise<void> {
  await clickElement(buttonIn(tree));
  await shownIn(tree);
  expect(tree.activeElement).toBe(viewIn(tree));
  // The stylesheet in this tree styles the widget's view.
  const { backgroundColor, fontSize } = getComputedStyle(viewIn(tree) as HTMLElement);
  expect([backgroundColor, fontSize]).toEqual(['rgb(255, 255, 255)', '15px']);
  act(() => closeIn(tree)?.click());
  await waitFor(() => expect(tree.querySelector('iframe')).toBeNull());
  expect(tree.activeElement).toBe(buttonIn(tree));
}

const button = (display: CheckoutDisplay) => (
  <RampProvider widgetUrl={widgetUrl}>
    <OnRampButton display={display} />
  </RampProvider>
);

describe.each(['modal', 'inline'] as const)('a checkout shown %s', (display) => {
  it('opens in the page when a portal has placed its button in another element', async () => {
    const place = appendElement(document.createElement('div'));
    render(createPortal(button(display), place));
    await userEvent.click(buttonIn(place));
    await shownIn(document);
    await userEvent.click(closeIn(document) as HTMLButtonElement);
    expect(viewIn(document)).toBeNull();
    expect(document.activeElement).toBe(buttonIn(place));
  });

  it('opens in the document of a frame when a portal has placed its button there, and is removed with it', async () => {
    const inside = createFrameDocument();
    const { unmount } = render(createPortal(button(display), inside.body));
    await worksIn(inside);
    expect(viewIn(document)).toBeNull();
    act(() => buttonIn(inside).click());
    await shownIn(inside);
    unmount();
    expect(viewIn(inside)).toBeNull();
  });

  it.each(['open', 'closed'] as const)(
    'opens in the %s shadow tree of its button',
    async (mode) => {
      const tree = createShadowTree(mode, createShadowTree('open'));
      renderInto(tree, button(display));
      await worksIn(tree);
      expect(viewIn(document)).toBeNull();
    },
  );
});

describe('the dialog', () => {
  it.each([
    ['rtl', '', 'rtl', 'en'],
    ['', 'rtl', 'rtl', 'ar'],
    ['rtl', 'ltr', 'ltr', 'en'],
  ])('in a page with dir="%s" and a button in dir="%s" is %s', async (page, place, is, lang) => {
    document.documentElement.dir = page;
    const around = appendElement(document.createElement('section'));
    if (place) Object.assign(around, { dir: place, lang });
    render(button('modal'), { container: around });
    await userEvent.click(buttonIn(around));
    await shownIn(document);
    const dialog = viewIn(document) as HTMLElement;
    expect([getComputedStyle(dialog).direction, dialog.lang]).toEqual([is, lang]);
    // The close button is at the end of the bar, which is the left side in rtl.
    const close = closeIn(dialog) as HTMLElement;
    const { left, width } = dialog.getBoundingClientRect();
    expect(close.getBoundingClientRect().left < left + width / 2).toBe(is === 'rtl');
    document.documentElement.dir = '';
  });

  it('takes the direction of a shadow tree from its host', async () => {
    const around = appendElement(document.createElement('section'));
    around.dir = 'rtl';
    const tree = createShadowTree('open', around);
    renderInto(tree, button('modal'));
    act(() => buttonIn(tree).click());
    await shownIn(tree);
    expect(getComputedStyle(viewIn(tree) as HTMLElement).direction).toBe('rtl');
  });

  it('opens in the page when the button was removed before it opens', async () => {
    const tree = createShadowTree('open');
    const gone = appendElement(document.createElement('button'), tree);
    let open: (() => void) | undefined;
    function Page() {
      const checkout = useCheckout({ widget: 'on-ramp', widgetUrl });
      open = () => checkout.open({ trigger: gone });
      return null;
    }
    render(<Page />);
    act(() => {
      open?.();
    });
    gone.remove();
    await shownIn(document);
  });
});
