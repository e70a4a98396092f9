import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.js';

/**
 * Returns the response headers that docs/security.md recommends for a page, with these origins in place of
 * its examples.
 *
 * @throws Error when the page has no headers.
 */
export function parseDocumentedHeaders(
  origins: Readonly<Record<string, string>>,
): Record<string, string> {
  const guide = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const recipe = guide.split(/^#+ Headers of your page$/m)[1]?.match(/^```http\n(.*?)^```/ms)?.[1];
  if (!recipe)
    throw new Error("docs/security.md has no block of headers under 'Headers of your page'.");
  let text = recipe.replace(/\n +/g, ' ');
  for (const [example, origin] of Object.entries(origins)) text = text.replaceAll(example, origin);
  const lines = text.trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
}
