import type { Frame, Page } from 'playwright';

/** The shortest side, in pixels, of a target that a finger hits reliably. */
const MIN_TARGET = 44;

/** Records the layout shifts of each page that `page` opens from now on. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[])
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            moved: entry.sources.map(({ node }) => {
              const element = node instanceof Element ? node : node?.parentElement;
              return element
                ? `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
                : '';
            }),
          });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

interface Shift {
  readonly value: number;
  /** The elements that moved, as the tag and the classes. */
  readonly moved: readonly string[];
}

/** Returns the sum of the layout shifts since the page was opened, and what moved. */
export async function measureShift(page: Page): Promise<{ sum: number; shifts: Shift[] }> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), shifts };
}

/** Calls `open`, and waits until the page has requested nothing for half a second. */
export async function settle(page: Page, open: () => Promise<unknown>): Promise<void> {
  const pending = new Set<object>();
  let lastChange = Date.now();
  page.on('request', (request) => {
    pending.add(request);
    lastChange = Date.now();
  });
  const onEnd = (request: object) => {
    pending.delete(request);
    lastChange = Date.now();
  };
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);
  await open();
  while (pending.size > 0 || Date.now() - lastChange < 500) await page.waitForTimeout(50);
  page.removeAllListeners('request');
  page.removeAllListeners('requestfinished');
  page.removeAllListeners('requestfailed');
}

/**
 * Lists the visible controls whose clickable area is less than {@link MIN_TARGET} high or wide, each with its size. The
 * area of a field includes the label around it.
 */
export const listSmallTargets = (frame: Page | Frame): Promise<string[]> =>
  frame.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role="button"], [role="option"]',
    );
    const small: string[] = [];
    for (const control of controls) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert]'))
        continue;
      const area = control.closest('label') ?? control;
      // A link in a text may span several lines, so measure its largest box.
      const boxes = [...area.getClientRects()].map(({ width, height }) => ({ width, height }));
      const largest = boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
      if (!largest || largest.width * largest.height < 2) continue;
      const { width, height } = largest;
      if (Math.min(width, height) > least - 0.5) continue;
      const name = control.ariaLabel || control.textContent?.trim() || control.className;
      const size = `${Math.round(width)} × ${Math.round(height)}`;
      small.push(`${control.tagName.toLowerCase()} "${name.slice(0, 40)}" ${size}`);
    }
    return small;
  }, MIN_TARGET);

/** The smallest size of a text, in pixels. */
const MIN_TEXT = 12;

/** Lists the visible elements with a text below {@link MIN_TEXT}. */
export const listSmallTexts = (frame: Page | Frame): Promise<string[]> =>
  frame.evaluate(
    (least) =>
      [...document.querySelectorAll<HTMLElement>('body *')]
        .filter(
          (element) =>
            element.checkVisibility() &&
            [...element.childNodes].some(
              (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
            ) &&
            Number.parseFloat(getComputedStyle(element).fontSize) < least,
        )
        .map((element) => element.outerHTML.slice(0, 80)),
    MIN_TEXT,
  );
