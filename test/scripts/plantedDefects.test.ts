import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { defects } from '../../tools/defects/defects.mjs';
import { incidents } from '../../tools/defects/incidents.mjs';
import { plantDefect } from '../../tools/defects/plant.mjs';
import { root } from '../support/root.js';

/** Returns all names of a program, each once. */
function listNames(path: string, code: string): Set<string> {
  const names = new Set<string>();
  JSON.stringify(parseSync(path, code).program, (_, node) => {
    if (node?.type === 'Identifier') names.add(node.name);
    return node;
  });
  return names;
}

const isDeclared = (name: string, code: string) =>
  new RegExp(`(?:const|let|catch) ?\\(?${name}\\b|\\(${name}[,)]|${name}:`).test(code);

describe('the planted defects', () => {
  it.each([...defects, ...incidents])('$id has its place, and names what is there', (defect) => {
    const path = join(root, defect.file);
    const code = readFileSync(path, 'utf8');
    const planted = plantDefect(defect).transform(code, path) ?? '';
    const known = listNames(path, code);
    const added = [...listNames(path, planted)].filter((name) => !known.has(name));
    const unknown = added.filter((name) => !(name in globalThis) && !isDeclared(name, planted));
    // A method of a known object is no variable.
    expect(unknown.filter((name) => !planted.includes(`.${name}`))).toEqual([]);
  });
});
