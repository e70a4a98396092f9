// Writes the generated parts of the documents: `npm run docs`.
import { runnerImport } from 'vite';

const { module: parameters } = await runnerImport('./scripts/docs/parameterDocs.ts');
parameters.writeParameterDocs();
const { module: signing } = await runnerImport('./scripts/docs/signingDocs.ts');
signing.writeSigningDocs();
const { module: guidePages } = await runnerImport('./scripts/docs/guidePages.ts');
guidePages.writeGuidePages();
// Last, because it reads the others.
const { module: llms } = await runnerImport('./scripts/docs/llms.ts');
llms.writeLlms();
