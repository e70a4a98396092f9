import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { root } from '../support/root.js';

const readPackage = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

const { peerDependencies } = readPackage('.');
const { dependencies } = readPackage('test/peers');
/** `8.11` of `^8.11.0 || ^9.0.0`. */
const findMinor = (range: string) => /\d+\.\d+/.exec(range)?.[0];

describe('the lowest supported version', () => {
  // Each version of Playwright needs a browser of its own.
  const tested = Object.keys(peerDependencies).filter((name) => name !== '@playwright/test');

  it.each(tested)('of %s is the one that the tests install', (name) => {
    expect(findMinor(dependencies[name])).toBe(findMinor(peerDependencies[name]));
  });
});

it('is what the tests of this project import', () => {
  // Express 5 removed app.del().
  expect(express()).toHaveProperty('del');
});
