import { go } from './go.js';
import type { Language } from './Language.js';
import { php } from './php.js';

/** `npm test` skips these tests to stay short; `npm run test:consumers` runs them. */
function skipReason(language: Language): string | undefined {
  if (process.env.CONSUMERS !== 'all') return 'runs with CONSUMERS=all';
  const missing = language.missing();
  if (missing) process.stderr.write(`Skips the tests of ${language.name}: ${missing}.\n`);
  return missing;
}

/** The languages, each with the reason why its tests are skipped, if they are. */
export const languages = [php, go].map((language) => {
  const reason = skipReason(language);
  const title = reason ? `${language.name} (skipped: ${reason})` : language.name;
  return { language, reason, title };
});
