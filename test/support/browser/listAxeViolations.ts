import axe, { type ContextObject, type RunOptions } from 'axe-core';
import type { Page } from 'playwright';

/** Runs axe in a page of Playwright. Returns the rule of each violation and its first element. */
export async function listAxeViolations(
  page: Page,
  scope: string | { readonly include: string[]; readonly exclude: string[] } = 'html',
  options: RunOptions = {},
): Promise<unknown[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    async ([where, rules]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run(where as ContextObject, rules as RunOptions);
      return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
    },
    [scope, options] as [unknown, unknown],
  );
}
