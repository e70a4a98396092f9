// Part of npm run lint: fails where the structure of the sources exceeds a limit of measureStructure.mjs.
// `node scripts/structure.mjs arrows` also prints each arrow with its imports.
import { root } from './install.mjs';
import { measureStructure, structureLimits } from './measureStructure.mjs';

const { arrows, excesses } = measureStructure(root);

for (const [folder, found] of Object.entries(arrows)) {
  process.stdout.write(`${folder}: ${found.size} of ${structureLimits.arrows[folder]} arrows\n`);
  if (process.argv[2] !== 'arrows') continue;
  for (const [arrow, imports] of found)
    process.stdout.write(`  ${arrow}\n${imports.map((line) => `    ${line}\n`).join('')}`);
}
for (const line of excesses) process.stderr.write(`${line}\n`);
process.exitCode = excesses.length > 0 ? 1 : 0;
