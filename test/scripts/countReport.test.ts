import { expect, test } from 'vitest';
import { countReport } from '../../scripts/countReport.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test.each([
  ['a good run', [file('passed', 'passed', 'passed')], 0, [2, 0, 0]],
  ['skipped tests separately', [file('passed', 'passed', 'skipped', 'todo')], 0, [1, 0, 2]],
  ['failed tests', [file('failed', 'passed', 'failed', 'failed')], 1, [1, 2, 0]],
  ['a file that did not load', [file('failed'), file('passed', 'passed')], 1, [1, 1, 0]],
  ['a file whose hook failed', [file('failed', 'skipped', 'skipped')], 1, [0, 1, 2]],
  ['tests that did not end', [file('failed', 'passed', 'pending')], 1, [1, 2, 0]],
  ['an error outside of any test', [file('passed', 'passed')], 1, [1, 1, 0]],
  ['a run without files', [], 0, [0, 1, 0]],
  ['a run with only skipped tests', [file('passed', 'skipped')], 0, [0, 1, 1]],
])('counts %s', (_, testResults, exitCode, [passed, failed, skipped]) => {
  expect(countReport({ testResults }, exitCode)).toEqual({ passed, failed, skipped });
});

test('counts one failure without a report', () => {
  expect(countReport(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
