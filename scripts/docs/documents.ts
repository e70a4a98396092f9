import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatDiagrams } from './diagrams.js';
import { formatGuidePages } from './guides.js';
import { formatHandlerTypes } from './handlerTypes.js';
import { formatHttpDocs } from './httpDocs.js';
import { formatLlmsFiles } from './llms.js';
import { formatParameterDocs } from './parameterDocs.js';
import { formatSigningDocs } from './signingDocs.js';

/** The contents of generated files, by path. */
export type Documents = Readonly<Record<string, string>>;

/** The document generators, in the order in which they run: the last one reads files that the others write. */
export const generators = {
  formatHandlerTypes,
  formatHttpDocs,
  formatDiagrams,
  formatParameterDocs,
  formatSigningDocs,
  formatGuidePages,
  formatLlmsFiles,
};

/** Writes all generated documents. `npm run docs` calls it. */
export function writeDocuments(): void {
  for (const generate of Object.values(generators))
    for (const [path, text] of Object.entries(generate())) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
}
