import { go } from './go.js';
import { php } from './php.js';
import { python } from './python.js';

/** The languages to test. A language that is missing here gets a line, and `reason` says why its tests are skipped. */
export const languages = [php, go, python].map((language) => {
  const reason = language.missing();
  if (reason) process.stderr.write(`${language.name}: not run, ${reason}\n`);
  const title = reason ? `${language.name} (skipped: ${reason})` : language.name;
  return { language, reason, title };
});
