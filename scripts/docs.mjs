// Writes the generated parts of the documents: `npm run docs`.
import { runnerImport } from 'vite';

const { module: parameters } = await runnerImport('./scripts/parameter-docs.ts');
parameters.writeParameterDocs('README.md');
const { module: signing } = await runnerImport('./scripts/signing-docs.ts');
signing.writeSigningDocs();
