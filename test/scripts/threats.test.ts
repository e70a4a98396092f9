import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import controls from '../controls/rows.json' with { type: 'json' };
import { root } from '../support/root.js';

const page = readFileSync(join(root, 'docs/threats.md'), 'utf8');

/** Returns the files of the column "code" by the number of the row, such as "threat 8". */
function readRows(name: 'threat' | 'fault', heading: string): [string, string[]][] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| (\d+) \|.* \| ([^|]+) \|$/gm)].map(([, number, code = '']) => [
    `${name} ${number}`,
    [...code.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  ]);
}

const rows = new Map([...readRows('threat', 'Threats'), ...readRows('fault', 'Faults')]);

describe('docs/threats.md', () => {
  it('names only files that exist', () => {
    expect(rows.size).toBe(56);
    const missing = [...rows.values()].flat().filter((file) => !existsSync(join(root, file)));
    expect(missing).toEqual([]);
  });

  it.each(controls)('names the file of $row in which "$control" is implemented', (control) => {
    for (const row of control.row.split(', ')) expect(rows.get(row), row).toContain(control.file);
  });
});
