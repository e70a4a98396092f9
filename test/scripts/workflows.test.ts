import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobs, nightlyJobs } from '../../scripts/jobs.mjs';
import { root } from '../support/root.js';

const folder = join(root, '.github/workflows');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Returns the names of the jobs that the matrix of a workflow lists. */
const listJobs = (workflow: string) =>
  /^ {8}job: \[(.+)\]$/m.exec(read(workflow))?.[1]?.split(', ') ?? [];

describe('the workflows', () => {
  it('run every job of the table', () => {
    expect(['core', ...listJobs('check.yml')]).toEqual(Object.keys(jobs));
    expect(listJobs('nightly.yml')).toEqual(Object.keys(nightlyJobs));
  });

  it('name each action by its commit, because a tag can be moved', () => {
    const uses = readdirSync(folder).flatMap((name) => read(name).match(/uses: (?!\.\/).+/g) ?? []);
    expect(uses.length).toBeGreaterThan(4);
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v[\d.]+$/.test(line))).toEqual([]);
  });
});
