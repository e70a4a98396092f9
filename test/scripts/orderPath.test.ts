import { existsSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');
const section = /\n## The path of an order\n([\s\S]*?)(?=\n## |$)/.exec(guide)?.[1] ?? '';
const files = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file as string);

interface Node {
  readonly type: string;
  readonly id?: { readonly name?: string } | null;
  readonly init?: { readonly type: string } | null;
}

/** Returns the names of the functions that a file declares. Methods are excluded: their interface names them. */
function listFunctions(file: string): string[] {
  const names: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, id, init } = value as Node;
    const isFunction =
      type === 'FunctionDeclaration' ||
      (type === 'VariableDeclarator' && init?.type === 'ArrowFunctionExpression');
    if (isFunction && id?.name) names.push(id.name);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return names;
}

describe('The path of an order in CONTRIBUTING.md', () => {
  it('has at most 20 files, which all exist', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(20);
    expect(new Set(files).size).toBe(files.length);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('has a unique name for each function', () => {
    const names = files.flatMap(listFunctions);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});
