import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { CSSProperties, ReactElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { clickElement, createShadowTree, renderInto } from '../../support/browser/domFixtures.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import { hundred, pill, previewPage } from '../../support/browser/quotePreviewPage.js';

type Tree = Document | ShadowRoot;
const card = () => previewPage({ defaultValue: hundred }, new QueryClient());
const find = (selector: string, tree: Tree = document) =>
  tree.querySelector<HTMLElement>(selector) as HTMLElement;
const list = () => find('.ramp-quote-list') as HTMLDialogElement;
const boxOf = (element: Element) => element.getBoundingClientRect();

/** Expects that the shopper sees the whole list: it is inside the window, and nothing clips or covers it. */
function expectVisible(box: HTMLElement, tree: Tree = document) {
  const { left, top, right, bottom } = boxOf(box);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(innerWidth);
  expect(bottom).toBeLessThanOrEqual(innerHeight);
  for (const [x, y] of [
    [left + 20, top + 10],
    [right - 20, top + 10],
    [left + 20, bottom - 10],
    [right - 20, bottom - 10],
  ] as const)
    expect(box.contains(tree.elementFromPoint(x, y)), `the point ${x}, ${y}`).toBe(true);
}

async function openList(tree: Tree = document) {
  await waitFor(() => expect(find('button.ramp-quote-pill', tree)?.textContent).toContain('USD'));
  const row = find('button.ramp-quote-pill', tree).closest('.ramp-quote-row') as HTMLElement;
  const button = find('button.ramp-quote-pill', tree);
  await (tree === document ? userEvent.click(button) : clickElement(button));
  await waitFor(() => expect(tree.activeElement).toBe(find('[role="combobox"]', tree)));
  return { box: find('.ramp-quote-list', tree), row };
}

const around = (style: CSSProperties) => <div style={style}>{card()}</div>;

/** A page whose card is in an open modal dialog. */
function renderInDialog() {
  const { container } = render(
    <dialog style={{ inlineSize: 400, blockSize: 260, overflow: 'auto' }}>{card()}</dialog>,
  );
  const dialog = container.querySelector('dialog') as HTMLDialogElement;
  dialog.showModal();
  return dialog;
}

beforeEach(async () => {
  await page.viewport(800, 700);
  quoteBackend(respondToAll);
});

describe('the list of currencies in <QuotePreview />', () => {
  it.each<[string, ReactElement]>([
    ['on a page', card()],
    ['in a panel that clips', around({ overflow: 'hidden', blockSize: 160 })],
    ['in a panel that scrolls', around({ overflow: 'auto', blockSize: 160 })],
    ['in a transformed ancestor', around({ transform: 'translate(40px, 30px)' })],
    ['in a contained ancestor', around({ contain: 'strict', blockSize: 200 })],
  ])('is below its row, with its width, %s', async (_, place) => {
    render(place);
    const { box, row } = await openList();
    expectVisible(box);
    expect(boxOf(box).left).toBeCloseTo(boxOf(row).left, 0);
    expect(boxOf(box).width).toBeCloseTo(boxOf(row).width, 0);
    expect(boxOf(box).top).toBeCloseTo(boxOf(row).bottom + 8, 0);
  });

  it('is above its row near the bottom edge, also when the search finds less', async () => {
    render(around({ paddingBlockStart: 520, blockSize: 700, boxSizing: 'border-box' }));
    const { box, row } = await openList();
    expectVisible(box);
    expect(boxOf(box).bottom).toBeCloseTo(boxOf(row).top - 8, 0);
    await userEvent.keyboard('eur');
    expect(screen.getAllByRole('option')).toHaveLength(1);
    expect(boxOf(box).bottom).toBeCloseTo(boxOf(row).top - 8, 0);
  });

  it('is no higher than the room beside its row', async () => {
    await page.viewport(800, 500);
    render(around({ paddingBlockStart: 150 }));
    const { box } = await openList();
    expectVisible(box);
    expect(boxOf(box).height).toBeGreaterThan(150);
  });

  it('stays at its row while an ancestor scrolls', async () => {
    const { container } = render(around({ overflow: 'auto', blockSize: 300 }));
    const { box, row } = await openList();
    const before = boxOf(box).top;
    (container.firstElementChild as HTMLElement).scrollTop = 10;
    await waitFor(() => expect(boxOf(box).top).toBeCloseTo(before - 10, 0));
    expect(boxOf(box).top).toBeCloseTo(boxOf(row).bottom + 8, 0);
  });

  it.each(['open', 'closed'] as const)('is visible in %s shadow trees', async (mode) => {
    const tree = createShadowTree(mode);
    const panel = document.createElement('div');
    panel.style.cssText = 'overflow: hidden; height: 160px; transform: scale(1)';
    tree.append(panel);
    renderInto(panel, card());
    const { box } = await openList(tree);
    expectVisible(box, tree);
  });

  it('is above a modal dialog around the card, which stays open when the list closes', async () => {
    const dialog = renderInDialog();
    const { box } = await openList();
    expectVisible(box);
    await userEvent.click(screen.getByRole('option', { name: /Euro/ }));
    expect(document.activeElement).toBe(pill('EUR'));
    await openListOf('EUR');
    await userEvent.keyboard('{Escape}');
    expect(list()).toBeNull();
    expect(dialog.open).toBe(true);
  });

  it('is a dialog for a screen reader, with a combobox and a list', async () => {
    render(card());
    await openList();
    expect(pill('USD').getAttribute('aria-haspopup')).toBe('dialog');
    const dialog = screen.getByRole('dialog', { name: 'Search currencies' });
    expect(dialog.contains(screen.getByRole('combobox'))).toBe(true);
    expect(dialog.contains(screen.getByRole('listbox'))).toBe(true);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('is beside its row without popovers, and closes with a click outside', async () => {
    const { showPopover } = HTMLElement.prototype;
    HTMLElement.prototype.showPopover = undefined as never;
    try {
      render(around({ overflow: 'hidden', blockSize: 160, transform: 'scale(1)' }));
      const { box, row } = await openList();
      expectVisible(box);
      expect(boxOf(box).top).toBeCloseTo(boxOf(row).bottom + 8, 0);
      await userEvent.click(document.documentElement, { position: { x: 700, y: 600 } });
      expect(list()).toBeNull();
      expect(document.activeElement).toBe(pill('USD'));
    } finally {
      HTMLElement.prototype.showPopover = showPopover;
    }
  });
});

async function openListOf(code: string) {
  await userEvent.click(pill(code));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')));
}

describe('the list of currencies on a phone', () => {
  beforeEach(() => page.viewport(360, 640));

  it.each<[string, () => unknown]>([
    ['on a page', () => render(card())],
    [
      'in a transformed ancestor that clips',
      () => render(around({ transform: 'translateY(200px)', overflow: 'hidden', blockSize: 160 })),
    ],
    ['in a modal dialog', renderInDialog],
  ])('fills the screen %s', async (_, show) => {
    show();
    const { box } = await openList();
    expect(boxOf(box)).toMatchObject({ x: 0, y: 0, width: 360, height: 640 });
    expectVisible(box);
  });

  it('is modal: nothing else can be reached, until it closes', async () => {
    render(card());
    const { box } = await openList();
    expect(box.matches(':modal')).toBe(true);
    const field = screen.getByLabelText('You pay');
    act(() => field.focus());
    expect(document.activeElement).not.toBe(field);
    expect(await findAxeViolations(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('option', { name: /Euro/ }));
    expect(list()).toBeNull();
    expect(document.activeElement).toBe(pill('EUR'));
  });

  it('closes with the Back gesture, and returns the focus', async () => {
    render(card());
    const { box } = await openList();
    // A browser sends this event to the topmost modal dialog.
    fireEvent(box, new Event('cancel', { cancelable: true }));
    expect(list()).toBeNull();
    expect(document.activeElement).toBe(pill('USD'));
  });

  it('keeps the search when the screen is turned', async () => {
    render(card());
    await openList();
    await userEvent.keyboard('eu');
    await page.viewport(800, 700);
    await waitFor(() => expect(list().matches(':popover-open')).toBe(true));
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('eu');
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
    expectVisible(list());
    await page.viewport(360, 640);
    await waitFor(() => expect(list().matches(':modal')).toBe(true));
    expect(boxOf(list())).toMatchObject({ x: 0, y: 0, width: 360, height: 640 });
    await userEvent.keyboard('r');
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('eur');
  });

  it('fills the screen of a phone on its side', async () => {
    await page.viewport(740, 360);
    render(card());
    const { box } = await openList();
    expect(boxOf(box)).toMatchObject({ x: 0, y: 0, width: 740, height: 360 });
    expect(screen.getByRole('button', { name: 'Close the list' })).toBeTruthy();
  });
});

it('<QuotePreview /> shows its list in jsdom, which has neither popovers nor modal dialogs', async () => {
  const { showPopover } = HTMLElement.prototype;
  const { showModal } = HTMLDialogElement.prototype;
  const { matchMedia } = window;
  HTMLElement.prototype.showPopover = undefined as never;
  HTMLDialogElement.prototype.showModal = undefined as never;
  window.matchMedia = undefined as never;
  try {
    render(card());
    await openList();
    expect(screen.getAllByRole('option')).toHaveLength(3);
    await userEvent.keyboard('{Escape}');
    expect(list()).toBeNull();
  } finally {
    HTMLElement.prototype.showPopover = showPopover;
    HTMLDialogElement.prototype.showModal = showModal;
    window.matchMedia = matchMedia;
    vi.restoreAllMocks();
  }
});
