import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runNode } from '../../support/packaging/runNode.js';

const cwd = fileURLToPath(new URL('.', import.meta.url));
/** The document of the packed package, which `setup.ts` has copied into this folder. */
const document = 'node_modules/@partner-ramp/react/dist/openapi.json';

const env = {
  ...process.env,
  // Without these, the linter would connect to its vendor.
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** Returns the output of a linter. Rejects with the output if the linter found something. */
const lintWithRedocly = (file: string) =>
  runNode(['node_modules/@redocly/cli/bin/cli.js', 'lint', '--extends=recommended-strict', file], {
    cwd,
    env,
  });
const lintWithSpectral = (file: string) =>
  runNode(
    [
      ...['node_modules/@stoplight/spectral-cli/dist/index.js', 'lint'],
      ...['--ruleset=spectral.json', '--fail-severity=hint', '--quiet', file],
    ],
    { cwd, env },
  );

describe('dist/openapi.json', () => {
  it('has no findings of Redocly', async () => {
    await lintWithRedocly(document);
  });

  it('has no findings of Spectral', async () => {
    await lintWithSpectral(document);
  });
});

// A linter that reads another file, or no rules, would never find anything.
describe('a document whose response has no description', () => {
  const broken = 'broken.json';

  it('is refused by Redocly', async () => {
    await expect(lintWithRedocly(broken)).rejects.toThrow('must be present');
  });

  it('is refused by Spectral', async () => {
    await expect(lintWithSpectral(broken)).rejects.toThrow('description');
  });
});
