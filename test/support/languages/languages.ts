import { go } from './go.js';
import type { Language } from './Language.js';
import { php } from './php.js';

function skipReason(language: Language): string | undefined {
  const missing = language.missing();
  if (missing) process.stderr.write(`Skips the tests of ${language.name}: ${missing}.\n`);
  return missing;
}

/** The languages, each with the reason if its tests are skipped. */
export const languages = [php, go].map((language) => {
  const reason = skipReason(language);
  const title = reason ? `${language.name} (skipped: ${reason})` : language.name;
  return { language, reason, title };
});
