import { languages } from '../test/support/languages/languages.js';
import { runConformance } from '../test/support/languages/runConformance.js';

/**
 * Runs `partner-ramp conformance` against the example backend in each language that is installed. Run `npm run build`
 * first.
 */
export async function testLanguages(): Promise<void> {
  for (const { language, reason } of languages) {
    if (reason) continue;
    const { output, code } = await runConformance(language, language.example);
    const counts = output.trimEnd().split('\n').at(-1);
    process.stdout.write(`${language.name}: ${code === 0 ? counts : `failed\n${output}`}\n`);
    if (code !== 0) process.exitCode = 1;
  }
}
