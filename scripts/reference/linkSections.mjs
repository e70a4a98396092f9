import { toAnchor } from './anchors.mjs';

/** Finds the numbered headings of the service's interface. Returns their anchors on GitHub by number. */
export function findSections(page) {
  const headings = [...page.matchAll(/^#+ ((\d[\d.]*?)\.? .+)$/gm)];
  return new Map(headings.map(([, heading, number]) => [number, toAnchor(heading)]));
}

const reference = /\bsections?\s+[\d.]*\d(?:(?:,|\s+and|\s+to)\s+[\d.]*\d)*/g;

/**
 * Turns the references to sections of the service's interface, such as "service interface, section 4.7", into links.
 * Code stays unchanged.
 */
export const linkSections = (text, sections) =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(reference, (words) =>
            words.replace(/[\d.]*\d/g, (number) =>
              sections.has(number)
                ? `[${number}](../internal/service-interface.md#${sections.get(number)})`
                : number,
            ),
          ),
    )
    .join('');
