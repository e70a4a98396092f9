import { go } from './go.js';
import type { Language } from './Language.js';
import { php } from './php.js';

function skipReason(language: Language): string | undefined {
  const missing = language.missing();
  if (missing) process.stderr.write(`Skips the tests of ${language.name}: ${missing}.\n`);
  return missing;
}

/** The languages to test. If the tests of a language are skipped, `reason` says why. */
export const languages = [php, go].map((language) => {
  const reason = skipReason(language);
  const title = reason ? `${language.name} (skipped: ${reason})` : language.name;
  return { language, reason, title };
});
