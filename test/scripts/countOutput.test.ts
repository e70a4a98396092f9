import { expect, test } from 'vitest';
import { countOutput } from '../../scripts/countOutput.mjs';

test.each([
  ['the last line', 'ok\n12 passed, 0 failed\n', 0, { passed: 12, failed: 0 }],
  ['failures', '12 passed, 3 failed\n', 1, { passed: 12, failed: 3 }],
  [
    'a command with counts only in an earlier line',
    '12 passed, 0 failed\nbuilt\n',
    0,
    { passed: 1, failed: 0 },
  ],
  ['a command without counts', 'built\n', 0, { passed: 1, failed: 0 }],
  ['a failed command without counts', 'built\n', 2, { passed: 0, failed: 1 }],
  [
    'a failed command that reports no failures',
    '12 passed, 0 failed\n',
    1,
    { passed: 12, failed: 1 },
  ],
])('counts %s', (_, output, exitCode, expected) => {
  expect(countOutput(output, exitCode)).toEqual(expected);
});
