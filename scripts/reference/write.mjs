// npm run docs:api: writes docs/api from the declarations of the last build. With --check it changes nothing, and
// fails when docs/api is out of date.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installFolder, root } from '../install.mjs';

const target = join(root, 'docs', 'api');
const isCheck = process.argv.includes('--check');

installFolder(join(root, 'scripts', 'reference'));
// After the installation, because it needs TypeDoc.
const { createReference } = await import('./createReference.mjs');
if (isCheck) await check();
else if (!(await createReference(target))) process.exitCode = 1;

async function check() {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-api-'));
  try {
    if (!(await createReference(folder))) process.exitCode = 1;
    else if (JSON.stringify(readPages(folder)) !== JSON.stringify(readPages(target))) {
      process.stderr.write('docs/api is out of date. Run npm run docs:api.\n');
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readPages(folder) {
  const names = readdirSync(folder).sort();
  return names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}
