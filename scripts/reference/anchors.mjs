import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the anchor that GitHub gives to a heading, before it numbers those that occur twice. */
export const toAnchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Returns how often each anchor occurs among the headings of a page. */
function countAnchors(page) {
  const counts = new Map();
  for (const [, heading] of page.matchAll(/^#+ (.+)$/gm)) {
    const anchor = toAnchor(heading);
    counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  }
  return counts;
}

/**
 * Corrects the links to the second heading of a name, such as that of the type `SqlOrderStore` beside the function
 * `sqlOrderStore`. GitHub gives it the suffix -1, and the generator a higher number.
 */
export function correctAnchors(folder) {
  const pages = new Map(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const counts = new Map([...pages].map(([file, page]) => [file, countAnchors(page)]));
  for (const [file, page] of pages) {
    const corrected = page.replace(
      /\]\(([\w-]+\.md)?#([\w-]+?)-(\d+)\)/g,
      (link, target = '', name, number) => {
        const last = (counts.get(target || file)?.get(name) ?? 0) - 1;
        return last > 0 && Number(number) > last ? `](${target}#${name}-${last})` : link;
      },
    );
    if (corrected !== page) writeFileSync(join(folder, file), corrected);
  }
}
