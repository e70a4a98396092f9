import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCommandOutput } from './runCommand.js';

const folders = ['examples/php', 'examples/python', 'examples/go', 'test/consumers/languages/go'];
const hasGofmt = findCommandOutput('gofmt', ['-l', 'examples/go/main.go']) !== undefined;

describe('the examples in other languages', () => {
  test('have lines of at most 120 characters', () => {
    const files = folders
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true }).map((name) => join(folder, `${name}`)),
      )
      .filter((path) => /\.(php|py|go|md)$/.test(path));
    const long = files.flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          [...line.replaceAll('\t', '    ')].length > 120 ? [`${path}:${at + 1}`] : [],
        ),
    );
    expect(files.length).toBeGreaterThan(15);
    expect(long).toEqual([]);
  });

  test.skipIf(!hasGofmt)('are formatted by gofmt', () => {
    expect(findCommandOutput('gofmt', ['-l', ...folders.slice(2)])).toBe('');
  });
});
