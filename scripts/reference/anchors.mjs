import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns GitHub's anchor for a heading, before GitHub numbers anchors that occur twice. */
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
 * Corrects links to the second of two headings with the same anchor, such as the type `SqlOrderStore` beside the
 * function `sqlOrderStore`. GitHub gives the second anchor the suffix -1, but the generator uses a higher number.
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
