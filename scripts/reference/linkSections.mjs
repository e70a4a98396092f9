/** Finds the numbered headings of the service's interface. Returns their anchors on GitHub by number. */
export function findSections(page) {
  const headings = [...page.matchAll(/^#+ ((\d[\d.]*?)\.? .+)$/gm)];
  return new Map(
    headings.map(([, heading, number]) => [
      number,
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ]),
  );
}

const reference =
  /(?:docs\/service-interface\.md\s+)?\bsections?\s+[\d.]*\d(?:(?:,|\s+and|\s+to)\s+[\d.]*\d)*/g;

/**
 * Turns the references to sections of the service's interface, such as `docs/service-interface.md section 4.7`, into
 * links. A page of the API reference then reads "service interface, section 4.7". Code stays unchanged.
 */
export const linkSections = (text, sections) =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(reference, (words) =>
            words
              .replace(/docs\/service-interface\.md\s+/, 'service interface, ')
              .replace(/[\d.]*\d/g, (number) =>
                sections.has(number)
                  ? `[${number}](../service-interface.md#${sections.get(number)})`
                  : number,
              ),
          ),
    )
    .join('');
