import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.js';

const HEADING = 'Content-Security-Policy (CSP) and other headers';

/**
 * Returns the response headers that docs/security.md recommends for a page.
 *
 * @param origins - Replaces each example origin of the guide with another origin.
 * @throws Error if the guide has no block of headers
 */
export function parseDocumentedHeaders(
  origins: Readonly<Record<string, string>>,
): Record<string, string> {
  const guide = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const [, section] = guide.split(`## ${HEADING}\n`);
  const recipe = section?.match(/^```http\n(.*?)^```/ms)?.[1];
  if (!recipe) throw new Error(`docs/security.md has no block of headers under '${HEADING}'.`);
  let text = recipe;
  for (const [example, origin] of Object.entries(origins)) text = text.replaceAll(example, origin);
  const lines = text.trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
}
