import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mistakes } from '../support/mistakes/mistakes.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const bundlers = fileURLToPath(new URL('../consumers/bundlers/', import.meta.url));
const pages = fileURLToPath(new URL('../e2e/', import.meta.url));

/** The numbers of the mistakes that have a test. */
const tested = [here, bundlers, pages]
  .flatMap((folder) => readdirSync(folder).map((name) => folder + name))
  .filter((path) => /\.(test\.ts|browser\.tsx)$/.test(path))
  .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^ *testMistake\((\d+),/gm)])
  .map(([, number]) => Number(number));

const inOrder = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
const all = inOrder(mistakes.map(({ number }) => number));

describe('the table of mistakes', () => {
  it('has the first 51 rows, except the removed row 50, and each number once', () => {
    const numbers = Array.from({ length: 51 }, (_, index) => index + 1);
    expect(all.slice(0, 50)).toEqual(numbers.filter((number) => number !== 50));
    expect(new Set(all).size).toBe(all.length);
  });

  it('has one test for each row', () => {
    expect(inOrder(tested)).toEqual(all);
  });

  it('has at most 3 messages of the first 51, and 3 of the others, that do not name cause and fix', () => {
    const unclear = mistakes.filter(({ namesCause, namesCure }) => !namesCause || !namesCure);
    expect(unclear.filter(({ number }) => number <= 51).length).toBeLessThanOrEqual(3);
    expect(unclear.filter(({ number }) => number > 51).length).toBeLessThanOrEqual(3);
  });

  it('gives the reason for every other message', () => {
    const unclear = mistakes.filter(({ namesCause, namesCure }) => !namesCause || !namesCure);
    expect(unclear.filter(({ because }) => !because)).toEqual([]);
  });
});
