import { readFileSync } from 'node:fs';
import { errorCodes } from '../../src/contract/errorCodes.js';
import { getStatus, routes } from '../../src/contract/routes.js';
import { progressMeanings } from '../../src/contract/schemas.js';
import type { Documents } from './documents.js';

const PATH = 'docs/http.md';

/** The tables in docs/http.md that come from the contract. */
const tables = {
  errors: { source: 'src/contract/errorCodes.ts', format: formatErrors },
  progress: { source: 'src/contract/schemas.ts', format: formatProgress },
};

function formatErrors(): string {
  const failures = routes.flatMap((route) => route.failures);
  const rows = Object.entries(errorCodes).map(([code, { when }]) => {
    const statuses = failures.filter((failure) => failure.code === code).map(getStatus);
    return `| ${[...new Set(statuses)].join(', ')} | \`${code}\` | ${when} |`;
  });
  return ['| status | code | when |', '|---|---|---|', ...rows].join('\n');
}

function formatProgress(): string {
  const rows = Object.entries(progressMeanings).map(
    ([progress, meaning]) => `| \`${progress}\` | ${meaning} |`,
  );
  return ['| `progress` | meaning |', '|---|---|', ...rows].join('\n');
}

/** Returns docs/http.md with its tables updated. */
export function formatHttpDocs(): Documents {
  let text = readFileSync(PATH, 'utf8');
  for (const [name, { source, format }] of Object.entries(tables)) {
    const start = `<!-- ${name}: written by \`npm run docs\` from ${source} -->`;
    const end = `<!-- /${name} -->`;
    const [before, rest = ''] = text.split(start);
    text = `${before}${start}\n\n${format()}\n\n${end}${rest.split(end)[1]}`;
  }
  return { [PATH]: text };
}
