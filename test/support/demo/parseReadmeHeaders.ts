import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.js';

/**
 * Returns the page headers of the README, with these origins instead of the example origins.
 *
 * @throws Error when README has none.
 */
export function parseReadmeHeaders(
  origins: Readonly<Record<string, string>>,
): Record<string, string> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const recipe = readme.split(/^#+ Headers of your page$/m)[1]?.match(/^```http\n(.*?)^```/ms)?.[1];
  if (!recipe) throw new Error("README.md has no headers under 'Headers of your page'.");
  let text = recipe.replace(/\n +/g, ' ');
  for (const [example, origin] of Object.entries(origins)) text = text.replaceAll(example, origin);
  const lines = text.trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
}
