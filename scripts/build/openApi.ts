import { readFileSync, writeFileSync } from 'node:fs';
import { createOpenApi } from '../../src/contract/createOpenApi.js';

/** Writes dist/openapi.json, which package.json exports. `npm run build` calls it. */
export function writeOpenApi(): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('dist/openapi.json', `${JSON.stringify(createOpenApi(version), null, 2)}\n`);
}
